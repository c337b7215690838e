// The language in use: kept in browser storage, English when nothing valid is there. Only the dictionary in use is downloaded.
import { LANGUAGES, type Language } from '@tributary/contract/language'
import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import { localStore, readStored, writeStored } from '../lib/storage.ts'
import type { Dictionary } from './shape.ts'

const KEY = 'language'
const FALLBACK: Language = 'en'

type LoadRoom = Record<Language, () => Promise<object>>

const load: LoadRoom = {
  en: async () => (await import('./en/dictionary.ts')).en,
  ru: async () => (await import('./ru/dictionary.ts')).ru,
}

const loadRecords: LoadRoom = {
  en: async () => (await import('./en/records.ts')).recordsEn,
  ru: async () => (await import('./ru/records.ts')).recordsRu,
}
const withRecords = new Set<Language>()

const rooms = new Map<string, LoadRoom>()

const isLanguage = (value: unknown): value is Language => (LANGUAGES as readonly unknown[]).includes(value)

export const storedLanguage = (): Language => readStored(localStore(), KEY, isLanguage) ?? FALLBACK

export function currentLanguage(): Language {
  return isLanguage(i18next.language) ? i18next.language : FALLBACK
}

/** Must be done before the first render. */
export async function startLanguage(): Promise<void> {
  const language = storedLanguage()
  const words = await load[language]()
  await i18next.use(initReactI18next).init({
    lng: language,
    fallbackLng: false,
    resources: { [language]: { translation: words } },
    interpolation: { escapeValue: false },
    returnNull: false,
  })
  document.documentElement.lang = language
}

/** Opens a part of the dictionary that is downloaded when it is first needed; from then on it follows the language. */
export async function openRoom(name: string, loadRoom: LoadRoom): Promise<void> {
  rooms.set(name, loadRoom)
  await fillRoom(currentLanguage(), name, loadRoom)
}

async function fillRoom(language: Language, name: string, loadRoom: LoadRoom): Promise<void> {
  if (!i18next.hasResourceBundle(language, name)) i18next.addResourceBundle(language, name, await loadRoom[language]())
}

/** Adds the words of lists, forms and the screens around them; from then on they follow the language. */
export async function loadRecordWords(language: Language = currentLanguage()): Promise<void> {
  if (withRecords.has(language)) return
  i18next.addResourceBundle(language, 'translation', await loadRecords[language](), true, true)
  withRecords.add(language)
}

/** Brings a screen and these words at the same time: nothing is shown untranslated. */
export function withRecordWords<T>(load: () => Promise<T>): () => Promise<T> {
  return async () => {
    const [part] = await Promise.all([load(), loadRecordWords()])
    return part
  }
}

export async function chooseLanguage(language: Language): Promise<void> {
  if (!i18next.hasResourceBundle(language, 'translation'))
    i18next.addResourceBundle(language, 'translation', await load[language]())
  if (withRecords.size > 0) await loadRecordWords(language)
  await Promise.all([...rooms].map(([name, loadRoom]) => fillRoom(language, name, loadRoom)))
  await i18next.changeLanguage(language)
  document.documentElement.lang = language
  writeStored(localStore(), KEY, language)
}

/** The dictionary in use, for code that picks words by a name it learns at run time. */
export function currentWords(): Dictionary {
  return i18next.getResourceBundle(currentLanguage(), 'translation') as Dictionary
}
