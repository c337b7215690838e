// Words the warning of an import in the caller's language. The others are the words of the API itself.

import { say } from '@tributary/contract/words/messages'
import type { EntityRules } from '../engine/model/entity-rules.ts'

/** As the record stores it. */
const ROWS = /^the log of the imported file has (\d+) warnings?$/

export const playersReportApiRules: EntityRules = {
  derive(_db, rows, { language = 'en' }) {
    const reword = (warning: unknown): unknown => {
      const count = ROWS.exec(String(warning))?.[1]
      return count === undefined ? warning : say(language, 'players_api_rows', { count: Number(count) })
    }
    for (const row of rows) if (Array.isArray(row.warnings)) row.warnings = row.warnings.map(reword)
    return Promise.resolve()
  },
}
