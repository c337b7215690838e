// The sentences that both sides may say: error codes and validation messages, in both languages. A key missing in one language does not compile.

import type { ErrorCode } from '../error.ts'
import type { Language } from '../language.ts'
import { formatDay, formatMonth, isDay, isMonth } from '../period.ts'
import { en } from './en/messages.ts'
import { ru } from './ru/messages.ts'

export type MessageKey = keyof typeof en
type MissingCode = Exclude<ErrorCode, MessageKey>
const everyCodeHasWords: MissingCode extends never ? true : MissingCode = true
void everyCodeHasWords

const MESSAGES: Record<Language, Record<MessageKey, string>> = { en, ru }

/** The sentence for a key, with {name} replaced by values; months, days and limits as screens show them. '[ since {since}]' is left out without its value. */
export function say(language: Language, key: MessageKey, values: Record<string, string | number> = {}): string {
  const text = MESSAGES[language][key].replace(/\[([^\]]*\{(\w+)\}[^\]]*)\]/g, (_whole, part: string, name: string) =>
    Object.hasOwn(values, name) ? part : '',
  )
  return text.replace(/\{(\w+)\}/g, (whole, name: string) =>
    DATED.includes(name) ? showDate(language, String(values[name] ?? whole)) : showValue(name, values[name] ?? whole),
  )
}

/** Names of values that are months or days. */
const DATED: readonly string[] = ['month', 'day', 'from']

/** Names of values that are limits or counts. Other numbers may be those of documents. */
const AMOUNTS: readonly string[] = ['max', 'min', 'count', 'offers', 'links']

/** Limits and counts have a thin space between thousands, as numbers on screens. */
const showValue = (name: string, value: string | number): string =>
  AMOUNTS.includes(name) && Number.isInteger(value)
    ? String(value).replace(/\B(?=(\d{3})+$)/g, '\u202f')
    : String(value)

const showDate = (language: Language, value: string): string =>
  isMonth(value) ? formatMonth(value, language) : isDay(value) ? formatDay(value) : value

/** Browsers send far less. */
const HEADER_CAP = 1000

/** 'ru-RU,ru;q=0.9,en;q=0.8' → 'ru'. English unless Russian is preferred. */
export function chooseLanguage(header: string | undefined): Language {
  const ranked = (header ?? '')
    .slice(0, HEADER_CAP)
    .split(',')
    .map((part) => {
      const [tag = '', ...rest] = part.trim().toLowerCase().split(';')
      const weight = rest.map((p) => /^\s*q=([\d.]+)$/.exec(p)?.[1]).find((q) => q !== undefined)
      return { tag: tag.slice(0, 2), weight: weight === undefined ? 1 : Number(weight) }
    })
  const best = ranked.filter(({ tag }) => tag === 'en' || tag === 'ru').sort((a, b) => b.weight - a.weight)[0]
  return best?.tag === 'ru' ? 'ru' : 'en'
}
