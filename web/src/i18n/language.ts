// The current language: stored in the browser, English by default. Only its own dictionary is downloaded.
import { LANGUAGES, type Language } from '@tributary/contract/language'
import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import { localStore, readStored, writeStored } from '../lib/storage.ts'
import type { Dictionary, ReportWords } from './shape.ts'

const KEY = 'language'
const FALLBACK: Language = 'en'

type Namespaces = Record<'translation' | 'reports', object>

const load: Record<Language, () => Promise<Namespaces>> = {
  en: async () => {
    const [{ en }, { reportsEn }] = await Promise.all([import('./en/dictionary.ts'), import('./en/reports.ts')])
    return { translation: en, reports: reportsEn }
  },
  ru: async () => {
    const [{ ru }, { reportsRu }] = await Promise.all([import('./ru/dictionary.ts'), import('./ru/reports.ts')])
    return { translation: ru, reports: reportsRu }
  },
}

const isLanguage = (value: unknown): value is Language => (LANGUAGES as readonly unknown[]).includes(value)

export const storedLanguage = (): Language => readStored(localStore(), KEY, isLanguage) ?? FALLBACK

export function currentLanguage(): Language {
  return isLanguage(i18next.language) ? i18next.language : FALLBACK
}

/** Must finish before the first render. */
export async function startLanguage(): Promise<void> {
  const language = storedLanguage()
  await i18next.use(initReactI18next).init({
    lng: language,
    fallbackLng: false,
    resources: { [language]: await load[language]() },
    interpolation: { escapeValue: false },
    returnNull: false,
  })
  document.documentElement.lang = language
}

export async function chooseLanguage(language: Language): Promise<void> {
  for (const [namespace, words] of Object.entries(await load[language]()))
    i18next.addResourceBundle(language, namespace, words)
  await i18next.changeLanguage(language)
  document.documentElement.lang = language
  writeStored(localStore(), KEY, language)
}

/** The current dictionary, for words whose key is known only at run time. */
export function currentWords(): Dictionary {
  return i18next.getResourceBundle(currentLanguage(), 'translation') as Dictionary
}

/** The current dictionary of reports. */
export function currentReportWords(): ReportWords {
  return i18next.getResourceBundle(currentLanguage(), 'reports') as ReportWords
}
