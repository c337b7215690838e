// Translates the stored cause of a change. An unknown cause is shown as it is stored, because the audit log outlives the translations.
import { isEntityName } from '../entities/registry.ts'
import type { causesEn } from './en/causes.ts'
import { type Texts, type Words, wordsOf } from './entity-words.ts'

export type CauseWords = Texts<typeof causesEn>

type Values = Readonly<Record<string, string>>

/** Causes that contain values. */
const PATTERNS: Readonly<Record<keyof CauseWords['patterns'], RegExp>> = {
  restore: /^restore (?<id>\d+)$/,
  report: /^report (?<id>\d+)$/,
  api_key: /^an API key was made: (?<prefix>\S+)$/,
  integration: /^the integration (?<name>\w+) was changed: (?<parts>.+)$/,
}
/** A change with the reason that its author gave. */
const REASONED = /^(?<change>[a-z]+ [a-z_]+): (?<reason>.+)$/s
const ACT = /^(?<act>[a-z]+) (?<entity>[a-z_]+)$/

const fill = (text: string, values: Values): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** The cause in the language of `words`. */
export function describeCause(words: Pick<Words, 'causes' | 'entities'>, cause: string): string {
  const { causes } = words
  const texts: Values = causes.texts
  const known = texts[cause]
  if (known !== undefined) return known
  const colon = cause.indexOf(': ')
  const reasoned = colon === -1 ? undefined : texts[cause.slice(0, colon)]
  if (reasoned !== undefined) return `${reasoned}${cause.slice(colon)}`
  const { act = '', entity } = ACT.exec(cause)?.groups ?? {}
  const acts: Values = causes.acts
  const text = acts[act]
  if (text !== undefined && entity !== undefined && isEntityName(entity))
    return capitalize(fill(text, { what: wordsOf(words, entity).one }))
  const { change, reason } = REASONED.exec(cause)?.groups ?? {}
  if (change !== undefined) return `${describeCause(words, change)}: ${reason ?? ''}`
  for (const [name, pattern] of Object.entries(PATTERNS)) {
    const found = pattern.exec(cause)?.groups
    // The keys of the record are those of the patterns.
    if (found) return fill(causes.patterns[name as keyof typeof PATTERNS], translate(causes, found))
  }
  return cause
}

/** The names and parts of integrations have words of their own. */
function translate({ integrations, parts }: CauseWords, { name, parts: changed, ...others }: Values): Values {
  const names: Values = integrations
  const words: Values = parts
  return {
    ...others,
    ...(name !== undefined && { name: names[name] ?? name }),
    ...(changed !== undefined && {
      parts: changed
        .split(', ')
        .map((part) => words[part] ?? part)
        .join(', '),
    }),
  }
}
