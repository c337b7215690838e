// Words the warnings of a log in the caller's language: the log keeps their keys and values.

import { sheetsEn } from '@tributary/contract/words/en/sheets'
import { say } from '@tributary/contract/words/messages'
import type { SheetWarning } from '../../integrations/sheets/sheet-warning.ts'
import type { EntityRules } from '../engine/model/entity-rules.ts'

export const googleParseResultRules: EntityRules = {
  derive(_db, rows, { language = 'en' }) {
    const reword = (warning: SheetWarning): SheetWarning => {
      const { key, values } = warning
      // Keys of older logs may have lost their words.
      if (!Object.hasOwn(sheetsEn, key)) return warning
      return { ...warning, message: say(language, key, values), remedy: say(language, `${key}_remedy`, values) }
    }
    for (const row of rows) if (Array.isArray(row.warnings)) row.warnings = (row.warnings as SheetWarning[]).map(reword)
    return Promise.resolve()
  },
}
