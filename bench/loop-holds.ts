// Loaded before a server (`node --import`): measures the longest time for which the event loop was blocked. The parent process
// sends 'begin' and 'end'; the answer to 'end' is a number of milliseconds.

const TICK_MS = 1

let longest = 0
let before = cpuMs()
let isMeasuring = false

/** CPU time of this thread, which other programs on the machine do not lengthen. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

function tick(): void {
  const now = cpuMs()
  longest = Math.max(longest, now - before)
  before = now
  if (isMeasuring) setTimeout(tick, TICK_MS)
}

process.on('message', (message) => {
  isMeasuring = message === 'begin'
  if (isMeasuring) {
    longest = 0
    before = cpuMs()
    setTimeout(tick, TICK_MS)
    process.send?.(0)
  } else {
    tick()
    process.send?.(longest)
  }
})
process.channel?.unref()
