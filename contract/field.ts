// The closed set of field kinds. A field is plain data; store, wire schema, filter, cell and input derive from it.
import { type AccessHolder, hasPermission, type Permission, type RoleKind } from './access.ts'

interface FieldCommon {
  /** Must be present and not empty when a row is saved. */
  readonly required?: true
  /** Set by the server, never by a request. */
  readonly readOnly?: true
  /** Writable at creation only. */
  readonly fixed?: true
  /** Roles that may set the field; for all others it is read-only. */
  readonly setBy?: readonly RoleKind[]
  /** The entity's rules check the reference, so that it may name an inactive row. */
  readonly mayBeInactive?: true
  /** Included in the `query` text search; a choice is found by its label in the reader's language. */
  readonly searched?: true
  /** Cannot be filtered or sorted by, because no index exists or nobody needs it. */
  readonly unfiltered?: true
  /** Can be filtered but not sorted by: sorting the table would be too slow. */
  readonly unsorted?: true
  /** Filtered by its whole value only: searching for a part would read the whole table. */
  readonly whole?: true
  /** Roles that never receive this field, in any answer. */
  readonly hiddenFrom?: readonly RoleKind[]
  /** Users without this permission never receive the field, in any answer. */
  readonly needs?: Permission
}

/** True if server and screens must omit the field for this user. */
export const isHidden = ({ hiddenFrom, needs }: FieldCommon, holder: AccessHolder): boolean =>
  hiddenFrom?.includes(holder.role) === true || (needs !== undefined && !hasPermission(holder, needs))

/** True if this role may set a field that requests may set at all. */
export const maySet = ({ setBy }: FieldCommon, role: RoleKind): boolean => setBy?.includes(role) ?? true

/** True if the field says again what another field of the row says. */
export const isRepeated = (field: Field): boolean => field.kind === 'boolean' && field.whetherSet !== undefined

/** The unit of a decimal in a row. */
export function unitOf(field: DecimalField, row: Readonly<Record<string, unknown>> | undefined): DecimalField['unit'] {
  const { unit, percentWhen } = field
  return percentWhen?.is.some((choice) => row?.[percentWhen.field] === choice) ? 'percent' : unit
}

/** `token`: no space or comma. `domain`: starts with https://. `template`: a URL with macros. `country`: ISO 3166-1 alpha-2. `number`: a positive whole number used as another system's id. `words`: letters, no digits. `spreadsheet`: the id or address of a Google spreadsheet.
 * `zone`: an IANA time zone. `time`: a time of day, HH:mm. `month`: YYYY-MM. `entity`: an entity's name, shown by its title. `cause`: why a row changed, shown in words. */
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
  | 'month'
  | 'entity'
  | 'cause'
  | 'number'
  | 'words'
  | 'spreadsheet'

/** A text; `min` and `max` count its characters. */
export interface TextField extends FieldCommon {
  readonly kind: 'text'
  /** Consumed by the entity's rules and never returned: a password. */
  readonly writeOnly?: true
  readonly format?: TextFormat
  readonly min?: number
  readonly max?: number
}
/** A whole number; `min` and `max` are allowed values. */
export interface IntegerField extends FieldCommon {
  readonly kind: 'integer'
  readonly min?: number
  readonly max?: number
}
/** An exact decimal, a string on the wire, with `scale` digits after the point. Money has scale 4 and is shown with 2. */
export interface DecimalField extends FieldCommon {
  readonly kind: 'decimal'
  readonly scale: number
  readonly min?: number
  readonly max?: number
  readonly unit?: 'money' | 'percent'
  /** The field with the currency of the amount, if it is not `currency`. */
  readonly currencyField?: string
  /** A percentage instead, in rows in which another field has one of these choices; `max` limits it then. */
  readonly percentWhen?: { readonly field: string; readonly is: readonly string[]; readonly max?: number }
}
/** True or false. */
export interface BooleanField extends FieldCommon {
  readonly kind: 'boolean'
  /** True while that field of the row has a value. Histories show that field alone. */
  readonly whetherSet?: string
}
/** A calendar day, 'YYYY-MM-DD' on the wire. */
export interface DateField extends FieldCommon {
  readonly kind: 'date'
  /** Stands for its month: its first day is stored, its day is not shown, and 'YYYY-MM' is taken for it. */
  readonly isMonth?: true
}
/** An instant, ISO 8601 in UTC on the wire. */
export interface DatetimeField extends FieldCommon {
  readonly kind: 'datetime'
}
/** One of `options`. */
export interface ChoiceField extends FieldCommon {
  readonly kind: 'choice'
  readonly options: readonly string[]
  /** Another field of the row: while it has a value, screens show its label instead of the choice. */
  readonly unless?: string
}
/** A set of choices, stored as text[]. */
export interface ChoicesField extends FieldCommon {
  readonly kind: 'choices'
  readonly options: readonly string[]
  /** Null means that the parent's value applies; an empty set is a set of its own. */
  readonly inherits?: true
}
/** Column `<name>_id`. Written as an id, read as {id, title, …}. */
export interface ReferenceField extends FieldCommon {
  readonly kind: 'reference'
  readonly to: string
  /** Without a user, the product itself has done it. */
  readonly orSystem?: true
}
/** Many to many through a join table. Written as ids, read as {id, title}[]. */
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
/** Rows of another entity that refer to this one by field `by`. Included in `detailed` reads; saved with the parent if `owned`. */
export interface ChildrenField extends FieldCommon {
  readonly kind: 'children'
  readonly of: string
  readonly by: string
  readonly owned?: true
}
/** A UUID, a text on the wire. */
export interface UuidField extends FieldCommon {
  readonly kind: 'uuid'
}
/** Any JSON value. */
export interface JsonField extends FieldCommon {
  readonly kind: 'json'
}
/** Not stored: the entity's rules compute it on reading. Always read-only. */
export interface DerivedField extends FieldCommon {
  readonly kind: 'derived'
  readonly readOnly: true
  readonly shows: 'text' | 'link' | 'links'
  /** The text is a number: columns align it to the right. */
  readonly isNumber?: true
}

/** The declaration of a field. The set of kinds is closed. */
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

/** What tells the kinds of fields apart. */
export type FieldKind = Field['kind']
/** The fields of an entity by name, in their usual order. */
export type Fields = Readonly<Record<string, Field>>

/** A referenced row in an answer, with what its label needs. */
export interface Reference {
  id: number
  title: string
  value?: string | null
  code?: string | null
}
