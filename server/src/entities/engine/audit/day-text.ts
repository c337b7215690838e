// A day in words of the audit log.
import type { Language } from '@tributary/contract/language'
import { formatDay } from '@tributary/contract/period'
import { FIRST_DAY } from '../../../facts/columns.ts'
import { WORDS } from '../../../lib/words.ts'

/** '31.01.2026'; 'from the beginning' for FIRST_DAY, with which terms begin that have no date. */
export const dayText = (day: string, language: Language = 'en'): string =>
  day <= FIRST_DAY ? WORDS[language].common.values.beginning : formatDay(day)
