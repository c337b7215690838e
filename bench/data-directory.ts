// A new DATA_DIR for a measurement. PostgreSQL, which may run as another user, can enter it; whoever makes it removes it.

import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export function makeDataDirectory(purpose: string): string {
  const path = mkdtempSync(join(tmpdir(), `tributary-${purpose}-`))
  chmodSync(path, 0o755)
  return path
}
