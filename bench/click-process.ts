// Sends clicks from a process of its own, which runs before others, so that its waits are the server's: `node click-process.ts URL PER_SECOND`.
// It answers each message with the waits since the last one, in milliseconds.

import { writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { startClicks } from './steady-clicks.ts'

const CONNECTIONS = 64
const FIRST = -10

const [url = '', perSecond] = process.argv.slice(2)
try {
  setPriority(FIRST)
  // With Linux's session groups, a priority counts only within the session, and the session has one of its own.
  writeFileSync('/proc/self/autogroup', String(FIRST))
} catch {
  // Only root may do so, and not every system has session groups. Otherwise waits include those for a core.
}
const clicks = startClicks(url, { perSecond: Number(perSecond), connections: CONNECTIONS })
process.on('message', () => process.send?.(clicks.takeWaits()))
process.on('disconnect', () => process.exit(0))
