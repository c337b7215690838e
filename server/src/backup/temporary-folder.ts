// A folder for files on their way from or to the place of back-ups. A process that is killed leaves its own, which a later one deletes.

import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const PREFIX = 'tributary-backup-'
/** Each object changes the time of the folder, and none takes so long to read or to send. */
const STALE_MS = 86_400_000

export async function makeTemporaryFolder(): Promise<string> {
  const names = await readdir(tmpdir())
  for (const name of names.filter((one) => one.startsWith(PREFIX))) {
    const path = join(tmpdir(), name)
    // Its owner may delete it at the same time, or be another user.
    const changed = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => Date.now(),
    )
    if (Date.now() - changed > STALE_MS) await rm(path, { recursive: true, force: true }).catch(() => undefined)
  }
  return mkdtemp(join(tmpdir(), PREFIX))
}
