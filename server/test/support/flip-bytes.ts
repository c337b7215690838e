// Damages a part of ClickHouse on disk, as a failing disk does.

import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** So often that every block that is read contains some. */
const EVERY_BYTES = 24

/** Flips bytes in all data files of the part's folder. */
export function flipBytes(folder: string): void {
  for (const name of readdirSync(folder).filter((one) => one.endsWith('.bin'))) {
    const path = join(folder, name)
    const bytes = readFileSync(path)
    for (let at = Math.min(20, bytes.length - 1); at < bytes.length; at += EVERY_BYTES)
      bytes[at] = (bytes[at] ?? 0) ^ 0xff
    writeFileSync(path, bytes, { mode: statSync(path).mode })
  }
}
