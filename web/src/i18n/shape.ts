// What a dictionary must hold. English gives the keys; a language without one of them, or an entity, field or choice without words, does not compile.
import type { Permission } from '@tributary/contract/access'
import type { Entities, EntityName, FieldName } from '@tributary/contract/entities/registry'
import type { en } from './en.ts'

type OptionsOf<F> = F extends { kind: 'choice' | 'choices'; options: readonly (infer O extends string)[] } ? O : never

type ChoiceName<N extends EntityName> = {
  [F in FieldName<N>]: OptionsOf<Entities[N]['fields'][F]> extends never
    ? never
    : OptionsOf<Entities[N]['fields'][F]> extends Permission
      ? Permission extends OptionsOf<Entities[N]['fields'][F]>
        ? never
        : F
      : F
}[FieldName<N>]

type Choices<N extends EntityName> = [ChoiceName<N>] extends [never]
  ? { choices?: undefined }
  : { choices: { [F in ChoiceName<N>]: Record<OptionsOf<Entities[N]['fields'][F]>, string> } }

export type EntityWords<N extends EntityName = EntityName> = {
  /** Plural, as in the navigation. */
  title: string
  /** One of them, as in 'Delete the offer?'. */
  one: string
  subtitle: string
  /** The words on the button that makes one. */
  create: string
  fields: Record<FieldName<N>, string>
} & Choices<N>

export type EntitiesWords = { [N in EntityName]: EntityWords<N> }

type SectionOf<E> = E extends { form: readonly { name: infer S extends string }[] } ? S : never
/** Names of the form sections that entities declare. */
export type SectionName = SectionOf<Entities[EntityName]>

export type PermissionWords = Record<Permission, string>

/** Russian has three plural forms where English has one and other. */
type Plurals<K> = K extends `${infer Stem}_one` ? `${Stem}_one` | `${Stem}_few` | `${Stem}_many` : K

export type Shape<T> = T extends string
  ? string
  : { readonly [K in keyof T as Plurals<K>]: K extends string ? Shape<T[K]> : never }

export type Dictionary = Shape<typeof en>
