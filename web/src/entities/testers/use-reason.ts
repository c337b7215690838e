// Why a visitor was turned away, in words.
import { useTranslation } from 'react-i18next'
import { currentWords } from '../../i18n/language.ts'

/** A reason that has no words yet is told by its name. */
export function useReason(): (reason: string) => string {
  useTranslation()
  const words: Readonly<Record<string, string>> = currentWords().links.reasons
  return (reason) => words[reason] ?? reason
}
