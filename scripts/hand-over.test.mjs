import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './root.mjs'

const MODULE = join(ROOT, 'scripts', 'hand-over.mjs')

/** Starts a process that hands over to a Node running `code`. @param {string} code */
function startHandOver(code) {
  const start = `import { handOver } from ${JSON.stringify(MODULE)}; handOver(process.execPath, ['-e', ${JSON.stringify(code)}])`
  return spawn(process.execPath, ['--input-type=module', '-e', start], { stdio: ['ignore', 'pipe', 'inherit'] })
}

test('the exit code of what was started is the exit code of the command [SYS-01]', async () => {
  const [code] = await once(startHandOver('process.exit(7)'), 'exit')
  expect(code).toBe(7)
})

test.each(/** @type {const} */ (['SIGTERM', 'SIGINT']))(
  '%s reaches what was started, which ends in its own way [SYS-04]',
  async (signal) => {
    const child = startHandOver(
      `process.on('${signal}', () => setTimeout(() => process.exit(5), 50)); setInterval(() => {}, 1000); console.log('up')`,
    )
    await once(child.stdout, 'data')
    child.kill(signal)
    const [code] = await once(child, 'exit')
    expect(code).toBe(5)
  },
)

test('what was killed is reported as killed [SYS-01]', async () => {
  const [code] = await once(startHandOver("process.kill(process.pid, 'SIGKILL')"), 'exit')
  expect(code).toBe(137)
})

test('one request to stop that arrives twice is passed on once [SYS-04]', async () => {
  const child = startHandOver(
    `let n = 0; process.on('SIGTERM', () => { n++; setTimeout(() => process.exit(n), 300) }); setInterval(() => {}, 1000); console.log('up')`,
  )
  await once(child.stdout, 'data')
  child.kill('SIGTERM')
  await new Promise((resolve) => setTimeout(resolve, 100))
  child.kill('SIGTERM')
  const [code] = await once(child, 'exit')
  expect(code).toBe(1)
})
