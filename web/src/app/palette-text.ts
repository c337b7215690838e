// Reads what is typed into the palette: a verb, a period, and what is searched for.
import type { Preset } from '@tributary/contract/period'
import type { Dictionary } from '../i18n/shape.ts'
import { isNear } from './typing-errors.ts'

/** Periods that can be typed. */
export type NamedPeriod = keyof Dictionary['palette']['periods'] & Preset

export interface PaletteText {
  /** What is searched for, without a verb and a period. */
  readonly text: string
  readonly verb: 'create' | 'report' | null
  readonly period: NamedPeriod | null
}

export const wordsIn = (text: string): string[] => text.trim().toLowerCase().split(/\s+/).filter(Boolean)

/** Longer texts name no record. */
export const QUERY_MAX = 255

type ActionWords = Pick<Dictionary['palette'], 'verbs' | 'newPartnerOffer' | 'periods'>

/** Without the punctuation around it. */
const bareWord = (word: string): string => word.toLowerCase().replace(/^\p{P}+|\p{P}+$/gu, '')

/** The words of an action's label before the title. */
const beforeTitle = (label: string): string[] =>
  wordsIn(label.split('{{title}}')[0] ?? '')
    .map(bareWord)
    .filter(Boolean)

/** True for a form of the word: Russian ones differ in their ends. */
const isFormOf = (own: string, typed: string): boolean => own === typed || isNear(own, typed)

interface PeriodRead {
  readonly words: readonly string[]
  readonly period: NamedPeriod
}

/** The period at the end of the words or at their beginning, and the other words. */
function readPeriod(
  words: readonly string[],
  periods: ActionWords['periods'],
  isAfterVerb: boolean,
): PeriodRead | null {
  for (const [period, phrases] of Object.entries(periods) as [NamedPeriod, string][])
    for (const phrase of phrases.split('|')) {
      const own = phrase.split(' ')
      // A single word may well be a part of a name.
      if ((own.length === 1 && !isAfterVerb && words.length > 1) || own.length > words.length) continue
      const isAt = (start: number) => own.every((word, at) => bareWord(words[start + at] ?? '') === word)
      if (isAt(words.length - own.length)) return { words: words.slice(0, -own.length), period }
      if (isAt(0)) return { words: words.slice(own.length), period }
    }
  return null
}

/**
 * 'new northwind' asks for a new record of what 'northwind' finds, as does the label of the action itself, its words before or after the name:
 * 'new partner offer for northwind', 'northwind new partner offer'. 'northwind last month' asks for a report. If `isForgiving`, a verb may
 * have one error.
 */
export function readPaletteText(typed: string, words: ActionWords, isForgiving = false): PaletteText {
  const { verbs, newPartnerOffer, periods } = words
  const given = wordsOf(typed)
  const [first = '', ...rest] = given
  const isOneOf = (list: string, word: string) =>
    list.split(' ').some((own) => (isForgiving ? isFormOf(own, bareWord(word)) : own === bareWord(word)))
  const isBefore = (word: string) => verbs.before.split(' ').includes(bareWord(word))
  const ofCreation = beforeTitle(newPartnerOffer)
  const isOfCreation = (word: string) => isBefore(word) || ofCreation.some((own) => isFormOf(own, bareWord(word)))
  if (isOneOf(verbs.create, first) && rest.length > 0)
    return { text: told(from(rest, (word) => !isOfCreation(word)) ?? rest), verb: 'create', period: null }
  const verbAt = given.findIndex((word, at) => at > 0 && isOneOf(verbs.create, word))
  if (verbAt > 0 && verbAt < given.length - 1 && given.slice(verbAt + 1).every(isOfCreation))
    return { text: told(given.slice(0, verbAt)), verb: 'create', period: null }
  const isReport = isOneOf(verbs.report, first) && rest.length > 0
  const named = isReport ? rest : given
  const read = readPeriod(from(named, (word) => !isBefore(word)) ?? named, periods, isReport)
  const period = read?.period ?? null
  if (!isReport && (read === null || read.words.length === 0)) return { text: given.join(' '), verb: null, period }
  const others = read?.words ?? named
  const begin = from(others, (word) => !isBefore(word)) ?? (read === null ? others : [])
  // The preposition stands before a period as well: 'northwind за прошлый месяц'.
  const end = read === null ? begin.length : begin.findLastIndex((word) => !isBefore(word)) + 1
  return { text: told(begin.slice(0, end)), verb: 'report', period }
}

const wordsOf = (typed: string): string[] => typed.trim().split(/\s+/).filter(Boolean)
const told = (words: readonly string[]): string => words.join(' ').replace(/[,:]+$/, '')

/** The words from the first one on for which the test is true; null if there is none. */
function from(words: readonly string[], test: (word: string) => boolean): readonly string[] | null {
  const at = words.findIndex(test)
  return at === -1 ? null : words.slice(at)
}
