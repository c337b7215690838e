// The type of an entity's declaration. A declaration holds data only, no functions.
import type { Requirement } from './access.ts'
import type { Fields } from './field.ts'
import type { Condition } from './list-query.ts'

/** Checked before anything else. Operations not listed here do not exist. */
export interface EntityAccess {
  /** Lists and single reads. */
  readonly view: Requirement
  /** Option lists of selects: id, title, value only. */
  readonly lookup: Requirement
  readonly create: Requirement
  readonly edit: Requirement
  readonly remove: Requirement
  /** Rejects API keys for all operations. */
  readonly sessionOnly?: true
}

/**
 * Decides which rows a user sees.
 * - everyone: all rows, for everyone who has access
 * - all_partners: all rows, for everyone who sees all partners; others see none
 * - partner: rows whose column holds a visible partner's id, and whose `group` column, if given, holds a visible group's id; a PARTNER sees
 *   only rows whose `publishedAt` column, if given, is set
 * - group: rows whose column holds a visible group's id: an ADMIN sees all groups, a TEAM_LEADER those they lead, a MANAGER those in which
 *   they manage a partner, a PARTNER none
 * - linked: a PARTNER sees rows that `through` names with their id; staff see all. With `groups`, the admin's group filter leaves rows that
 *   `groups` names with the group's id, or `through` with the id of one of its partners
 * - through: rows whose column holds the id of a visible row of `entity`
 * - own: rows whose column holds the user's own id, and rows that colleagues share through the `shared` column: staff with staff,
 *   users of a partner among themselves
 * - staff_or_partner: rows whose column is empty, or holds a visible partner's id
 */
export type RowScope =
  | { readonly by: 'everyone' }
  | { readonly by: 'all_partners' }
  | { readonly by: 'partner'; readonly column: string; readonly group?: string; readonly publishedAt?: string }
  | { readonly by: 'group'; readonly column: string }
  | { readonly by: 'linked'; readonly through: PartnerRows; readonly groups?: GroupRows }
  | { readonly by: 'through'; readonly column: string; readonly entity: string }
  | { readonly by: 'own'; readonly column: string; readonly shared?: string }
  /** Rows without a partner, and rows of a visible partner: colleagues and the users of visible partners. */
  | { readonly by: 'staff_or_partner'; readonly column: string }

/** A table or view with a `partner_id`, whose `column` holds ids of the scoped entity. */
interface PartnerRows {
  readonly table: string
  readonly column: string
}

/** A table with a `partner_group_id`, whose `column` holds ids of the scoped entity. */
interface GroupRows {
  readonly table: string
  readonly column: string
}

/** Period that a list opens with. Each ends on the current business day. */
export type OpeningPeriod = 'today' | 'two_weeks' | 'current_month'

/** A section of an entity's form. */
export interface EntityFormSection {
  /** Key of the section's label. With more than one section, sections are tabs. */
  readonly name: string
  readonly fields: readonly string[]
}

/** The rows whose field has one of these values. */
interface RowTest {
  readonly field: string
  readonly is: readonly string[]
}

/** The declaration of an entity, from which its API, list, form, access and audit follow. */
export interface Entity {
  readonly name: string
  /** Path of its screens; null if it has no screens. */
  readonly route: string | null
  readonly access: EntityAccess
  readonly scope: RowScope
  /** An admin's group filter narrows lists and exports only; single rows, changes and calls below the entity's path include all groups. */
  readonly ignoresGroupFilter?: true
  readonly fields: Fields
  /** Field shown as the row's name. */
  readonly title: string
  /** Extra fields of a look-up option and a reference, beside id and title. */
  readonly label?: readonly string[]
  /**
   * Fields, or paths through references, that name a record together where the title alone does not tell records apart. The audit log,
   * histories and messages use them.
   */
  readonly namedBy?: readonly string[]
  /** Sets of fields that are unique together. The database constraint is named `<entity>_<column>_<column>_key`. */
  readonly unique: readonly (readonly string[])[]
  /** False for rows that are never deactivated (logs, histories). */
  readonly hasActive: boolean
  /** Rows whose field has one of these values are neither deleted nor deactivated. */
  readonly keeps?: RowTest
  /** Rows whose field has one of these values come from a source that writes them again after they are deleted. */
  readonly comesBack?: RowTest
  /** Append-only: rows have an id and created_at, but no version and no updated_at. */
  readonly isLog?: true
  /** The list counts approved and unapproved rows. */
  readonly countsUnapproved?: true
  readonly list: {
    /** Field names or paths through references ('offer.advertiser'). */
    readonly columns: readonly string[]
    /** What the list of a PARTNER begins with, after its first column; the other columns follow. */
    readonly partnerColumns?: readonly string[]
    readonly filters: readonly string[]
    readonly sort?: { readonly by: string; readonly desc: boolean }
    /** Default period of the screen. It moves with the calendar and is not stored. */
    readonly opens?: { readonly path: string; readonly period: OpeningPeriod }
    /** Conditions with which the screen opens, beside those of all lists. */
    readonly opensWith?: readonly Condition[]
    /** The filter panel opens with the list. */
    readonly panel?: true
  }
  readonly form: readonly EntityFormSection[]
  /** Records open on an overview, at `<route>/<id>`; their form is a tab beside it. */
  readonly hasOverview?: true
  /** The address, up to the id, at which a record without a screen of its own is shown. */
  readonly shownAt?: string
  /** The reference to the record that names the warnings of a row; without it, the row does. */
  readonly warningsIn?: string
  /** Created in a modal from the list instead of on a /create route. */
  readonly createsInModal?: true
  /**
   * Hundreds of thousands of rows or more: totals above EXACT_COUNT are estimates, and each statement is planned with its own values. The
   * default order has an index; so has the order by a reference that is always set, with the id behind it.
   */
  readonly isLarge?: true
  /** Rows are read from ClickHouse (clicks) instead of PostgreSQL. */
  readonly source?: 'clickhouse'
}

/** True if the row is neither deleted nor deactivated, whoever asks: it is built in, or the entity keeps rows like it. */
export const isKept = ({ keeps }: Pick<Entity, 'keeps'>, row: Readonly<Record<string, unknown>>): boolean =>
  row.built_in === true || passes(keeps, row)

/** True if the source of the row writes it again after it is deleted. */
export const doesComeBack = (
  { comesBack }: Pick<Entity, 'comesBack'>,
  row: Readonly<Record<string, unknown>>,
): boolean => passes(comesBack, row)

const passes = (test: RowTest | undefined, row: Readonly<Record<string, unknown>>): boolean =>
  test?.is.some((value) => row[test.field] === value) === true

/** Returns the entity unchanged, with its literal types. */
export function defineEntity<const E extends Entity>(entity: E): E {
  return entity
}

/** The field that deactivates rows, or null if there is none. */
export function activeField(entity: Pick<Entity, 'hasActive' | 'fields'>): 'active' | 'enabled' | null {
  if (entity.hasActive) return 'active'
  return entity.fields.enabled?.kind === 'boolean' ? 'enabled' : null
}

/** States of a row in an edited nested collection. */
export const ROW_STATUSES = ['new', 'updated', 'deleted'] as const
export type RowStatus = (typeof ROW_STATUSES)[number]
