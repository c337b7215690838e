// Words for things whose name is only known at run time: an entity, a field path, a choice. Screens and exported files name them alike.
import type { Permission } from '../access.ts'
import { ENTITIES, type Entities, type EntityName, type FieldName, isEntityName } from '../entities/registry.ts'
import type { Fields } from '../field.ts'
import type { causesEn } from './en/causes.ts'
import type { commonEn } from './en/common.ts'

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

export type PermissionWords = Record<Permission, string>

/** The same keys with any texts: the type of a translation. */
export type Texts<T> = T extends string ? string : { readonly [K in keyof T]: Texts<T[K]> }

export type CommonWords = Texts<typeof commonEn>

/** The words of one language that server and screens share. */
export interface Words {
  readonly common: CommonWords
  readonly entities: EntitiesWords
  /** Why rows changed. */
  readonly causes: Texts<typeof causesEn>
}

/** Enough to name fields and choices. */
type NamingWords = Pick<Words, 'common' | 'entities'>

/** One entity's words, seen as one of many. */
export interface LooseWords {
  readonly title: string
  readonly one: string
  readonly subtitle: string
  readonly create: string
  readonly fields: Readonly<Record<string, string>>
  readonly choices?: Readonly<Record<string, Readonly<Record<string, string>>>> | undefined
}

// The dictionary is complete by type; only its union of shapes is too wide to index by a name.
export const wordsOf = ({ entities }: Pick<Words, 'entities'>, name: EntityName): LooseWords =>
  (entities as Record<EntityName, LooseWords>)[name]

/** The entity and field in which a path ends. */
export function endOfPath(entity: EntityName, path: string): { entity: EntityName; field: string } {
  const [head = '', ...rest] = path.split('.')
  const field = (ENTITIES[entity].fields as Fields)[head]
  if (rest.length === 0 || !field) return { entity, field: head }
  const next =
    field.kind === 'reference' || field.kind === 'references' ? field.to : field.kind === 'children' ? field.of : null
  return next !== null && isEntityName(next) ? endOfPath(next, rest.join('.')) : { entity, field: head }
}

/** The label of a field, or of what a path through references ends in: 'offer.advertiser' → 'Advertiser'. */
export function fieldLabel(words: NamingWords, entity: EntityName, path: string): string {
  const end = endOfPath(entity, path)
  const common: Readonly<Record<string, string>> = words.common.fields
  return wordsOf(words, end.entity).fields[end.field] ?? common[end.field] ?? path
}

/** The word for a choice; the choice itself when there is none. */
export function choiceLabel(words: NamingWords, entity: EntityName, path: string, option: string): string {
  const end = endOfPath(entity, path)
  const permissions: Readonly<Record<string, string>> = words.common.permissions
  return wordsOf(words, end.entity).choices?.[end.field]?.[option] ?? permissions[option] ?? option
}
