// The current language: stored in the browser, English by default. Only its own dictionary is downloaded.
import { LANGUAGES, type Language } from '@tributary/contract/language'
import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import { isolate } from '../lib/isolate.ts'
import { localStore, readStored, writeStored } from '../lib/storage.ts'
import type { Dictionary, ReportWords } from './shape.ts'

const KEY = 'language'
const FALLBACK: Language = 'en'

type Namespaces = Record<'translation' | 'reports', object>

const loadFirst: Record<Language, () => Promise<Namespaces>> = {
  en: async () => {
    const [{ firstEn }, { reportsEn }] = await Promise.all([import('./en/first.ts'), import('./en/reports.ts')])
    return { translation: firstEn, reports: reportsEn }
  },
  ru: async () => {
    const [{ firstRu }, { reportsRu }] = await Promise.all([import('./ru/first.ts'), import('./ru/reports.ts')])
    return { translation: firstRu, reports: reportsRu }
  },
}
const loadScreens: Record<Language, () => Promise<object>> = {
  en: async () => (await import('./en/screens.ts')).screensEn,
  ru: async () => (await import('./ru/screens.ts')).screensRu,
}
/** True after a screen other than the first has been opened. */
let needsScreens = false

const isLanguage = (value: unknown): value is Language => (LANGUAGES as readonly unknown[]).includes(value)

const storedLanguage = (): Language => readStored(localStore(), KEY, isLanguage) ?? FALLBACK

export function currentLanguage(): Language {
  return isLanguage(i18next.language) ? i18next.language : FALLBACK
}

/** Must finish before the first render. */
export async function startLanguage(): Promise<void> {
  const language = storedLanguage()
  await i18next.use(initReactI18next).init({
    lng: language,
    fallbackLng: false,
    resources: { [language]: await loadFirst[language]() },
    interpolation: { escape: isolate },
    returnNull: false,
  })
  document.documentElement.lang = language
}

export async function chooseLanguage(language: Language): Promise<void> {
  for (const [namespace, words] of Object.entries(await loadFirst[language]()))
    i18next.addResourceBundle(language, namespace, words)
  if (needsScreens) await addScreenWords(language)
  await i18next.changeLanguage(language)
  document.documentElement.lang = language
  writeStored(localStore(), KEY, language)
}

/** Must finish before a screen other than a report renders. */
export async function loadScreenWords(): Promise<void> {
  needsScreens = true
  await addScreenWords(currentLanguage())
}

/** A copy of all words would take as long as a frame of the page. */
async function addScreenWords(language: Language): Promise<void> {
  i18next.addResourceBundle(language, 'translation', await loadScreens[language](), true, false, { skipCopy: true })
}

/** The current dictionary, for words whose key is known only at run time. */
export function currentWords(): Dictionary {
  return i18next.getResourceBundle(currentLanguage(), 'translation') as Dictionary
}

/** The current dictionary of reports. */
export function currentReportWords(): ReportWords {
  return i18next.getResourceBundle(currentLanguage(), 'reports') as ReportWords
}
