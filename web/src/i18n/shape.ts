// The shape of a dictionary. English gives the keys; a language that lacks a key, or a word of an entity, field or choice, does not compile.
import type { Entities, EntityName } from '@tributary/contract/entities/registry'
import type { firstEn } from './en/first.ts'
import type { reportsEn } from './en/reports.ts'
import type { screensEn } from './en/screens.ts'

type SectionOf<E> = E extends { form: readonly { name: infer S extends string }[] } ? S : never
/** Names of the form sections that entities declare. */
export type SectionName = SectionOf<Entities[EntityName]>

/** Russian has three plural forms where English has one and other. */
type Plurals<K> = K extends `${infer Stem}_one` ? `${Stem}_one` | `${Stem}_few` | `${Stem}_many` : K

export type Shape<T> = T extends string
  ? string
  : { readonly [K in keyof T as Plurals<K>]: K extends string ? Shape<T[K]> : never }

/** The words that are there before the first screen. */
export type FirstWords = Shape<typeof firstEn>
/** The words that are there before any other screen. */
export type ScreenWords = Shape<typeof screensEn>
export type Dictionary = FirstWords & ScreenWords
/** The words of reports, a namespace of their own. */
export type ReportWords = Shape<typeof reportsEn>
