// The closed set of field kinds. A field is plain data: store, wire schema, filter, cell and input are all derived from it.
import { type Holder, hasPermission, type Permission, type RoleKind } from './access.ts'

interface FieldCommon {
  /** Must be present and not empty when the row is saved. */
  readonly required?: true
  /** Set by the product, never by a request. */
  readonly readOnly?: true
  /** Written at creation only. */
  readonly fixed?: true
  /** Found by `query`. */
  readonly searched?: true
  /** Not offered as filter and sort, because no index or no sense. */
  readonly unfiltered?: true
  /** Filtered, but not sorted by: the table is too long to be put in this order. */
  readonly unsorted?: true
  /** Filtered by its whole value only: looking for a part of it would read the whole table. */
  readonly whole?: true
  /** Roles that never receive this field, by any path. */
  readonly hiddenFrom?: readonly RoleKind[]
  /** Who lacks this permission never receives the field, by any path. */
  readonly needs?: Permission
}

/** The one rule by which server and screens leave a field out. */
export const isHidden = ({ hiddenFrom, needs }: FieldCommon, holder: Holder): boolean =>
  hiddenFrom?.includes(holder.role) === true || (needs !== undefined && !hasPermission(holder, needs))

/** `token`: no space or comma. `domain`: starts with https://. `template`: a URL with macros. `country`: ISO 3166-1 alpha-2. `number`: a whole number above zero that is a name, as another system counts. `words`: letters, no digits.
 * `zone`: a time zone by its IANA name. `time`: a time of day, HH:mm. `entity`: the name of an entity, shown by its title. `cause`: why a row changed, told in words. */
export type TextFormat =
  | 'plain'
  | 'long'
  | 'url'
  | 'domain'
  | 'template'
  | 'token'
  | 'country'
  | 'email'
  | 'zone'
  | 'time'
  | 'entity'
  | 'cause'
  | 'number'
  | 'words'

export interface TextField extends FieldCommon {
  readonly kind: 'text'
  /** Taken by the noun's rules and never read again: a password. */
  readonly writeOnly?: true
  readonly format?: TextFormat
  readonly min?: number
  readonly max?: number
}
export interface IntegerField extends FieldCommon {
  readonly kind: 'integer'
  readonly min?: number
  readonly max?: number
}
/** An exact decimal, a string on the wire; `scale` digits after the point. Money has scale 4 and is shown with 2. */
export interface DecimalField extends FieldCommon {
  readonly kind: 'decimal'
  readonly scale: number
  readonly min?: number
  readonly max?: number
  readonly unit?: 'money' | 'percent'
}
export interface BooleanField extends FieldCommon {
  readonly kind: 'boolean'
}
export interface DateField extends FieldCommon {
  readonly kind: 'date'
}
export interface DatetimeField extends FieldCommon {
  readonly kind: 'datetime'
}
export interface ChoiceField extends FieldCommon {
  readonly kind: 'choice'
  readonly options: readonly string[]
}
/** A set of choices, stored as text[]. */
export interface ChoicesField extends FieldCommon {
  readonly kind: 'choices'
  readonly options: readonly string[]
  /** Null is a value of its own: what stands above is in force. An empty set is a set. */
  readonly inherits?: true
}
/** Column `<name>_id`; written as id, read as {id, title, …}. */
export interface ReferenceField extends FieldCommon {
  readonly kind: 'reference'
  readonly to: string
}
/** Many to many through a join table; written as ids, read as {id, title}[]. */
export interface ReferencesField extends FieldCommon {
  readonly kind: 'references'
  readonly to: string
  readonly through: { readonly table: string; readonly own: string; readonly other: string }
}
/** Free texts, stored as text[]. */
export interface TextsField extends FieldCommon {
  readonly kind: 'texts'
  readonly max?: number
}
/** Rows of another entity that refer to this one by field `by`; in `detailed` reads, and saved with the parent when `owned`. */
export interface ChildrenField extends FieldCommon {
  readonly kind: 'children'
  readonly of: string
  readonly by: string
  readonly owned?: true
}
export interface UuidField extends FieldCommon {
  readonly kind: 'uuid'
}
export interface JsonField extends FieldCommon {
  readonly kind: 'json'
}
/** Not stored: made by the noun's rules on the server when it is read. Always read-only. */
export interface DerivedField extends FieldCommon {
  readonly kind: 'derived'
  readonly readOnly: true
  readonly shows: 'text' | 'link' | 'links'
}

export type Field =
  | TextField
  | IntegerField
  | DecimalField
  | BooleanField
  | DateField
  | DatetimeField
  | ChoiceField
  | ChoicesField
  | ReferenceField
  | ReferencesField
  | TextsField
  | ChildrenField
  | UuidField
  | JsonField
  | DerivedField

export type FieldKind = Field['kind']
export type Fields = Readonly<Record<string, Field>>

export interface Reference {
  id: number
  title: string
  value?: string | null
  code?: string | null
}
