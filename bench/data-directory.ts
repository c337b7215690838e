// Creates a DATA_DIR for a measurement, which PostgreSQL may enter as another user. The caller removes it.

import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export function makeDataDirectory(purpose: string): string {
  const path = mkdtempSync(join(tmpdir(), `tributary-${purpose}-`))
  chmodSync(path, 0o755)
  return path
}
