// Definitions of fields, metrics and dimensions. They are downloaded apart, when a screen first needs them.
import type { Language } from '@tributary/contract/language'
import type { Definitions } from '@tributary/contract/words/definition'
import { useEffect, useReducer } from 'react'
import { useTranslation } from 'react-i18next'
import { currentLanguage } from './language.ts'

const LOAD: Record<Language, () => Promise<Definitions>> = {
  en: async () => (await import('@tributary/contract/words/en/definitions')).definitionsEn,
  ru: async () => (await import('@tributary/contract/words/ru/definitions')).definitionsRu,
}

const loaded = new Map<Language, Definitions>()

/** The definitions in the current language; undefined until they are downloaded, which starts when they are needed. */
export function useDefinitions(isNeeded = true): Definitions | undefined {
  useTranslation()
  const language = currentLanguage()
  const [, render] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    if (!isNeeded || loaded.has(language)) return
    let isGone = false
    // A failed download leaves the screen without definitions.
    void LOAD[language]().then(
      (definitions) => {
        loaded.set(language, definitions)
        if (!isGone) render()
      },
      () => undefined,
    )
    return () => {
      isGone = true
    }
  }, [isNeeded, language])
  return loaded.get(language)
}

/** What a column of a report means: a metric, in either period, or a dimension. */
export function columnDefinition(definitions: Definitions | undefined, key: string): string | undefined {
  if (definitions === undefined) return undefined
  const known: Readonly<Record<string, string>> = { ...definitions.dimensions, ...definitions.metrics }
  return known[key.replace(/_2$/, '')]
}
