// The lock of a data folder: a running owner keeps others out, a killed one does not, however long it takes to end.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DirectoryInUseError, lockDirectory } from '../../src/lib/directory-lock.ts'
import { atEndOfFile } from '../support/cleanup.ts'
import { makeDirectory } from '../support/harness.ts'

const LOCK = join(import.meta.dirname, '../../src/lib/directory-lock.ts')

/** A process that holds the lock and much memory, which the kernel needs time to free. */
async function startOwner(directory: string): Promise<ReturnType<typeof spawn>> {
  const code = `import { lockDirectory } from ${JSON.stringify(LOCK)}
    await lockDirectory(process.argv[1])
    globalThis.ballast = Buffer.alloc(200_000_000, 1)
    console.log('locked')
    setInterval(() => {}, 1000)`
  const owner = spawn(process.execPath, ['--input-type=module', '-e', code, directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  atEndOfFile(() => owner.kill('SIGKILL'))
  await once(owner.stdout, 'data')
  return owner
}

test('a running owner keeps others out; a lock right after its kill -9 succeeds [SYS-04]', async () => {
  const directory = makeDirectory()
  const owner = await startOwner(directory)
  await expect(lockDirectory(directory)).rejects.toThrow(DirectoryInUseError)
  // Both in one turn of the event loop: this process has not even awaited its child.
  owner.kill('SIGKILL')
  const lock = await lockDirectory(directory)
  lock.release()
})
