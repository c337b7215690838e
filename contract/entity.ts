// What an entity declares. Contract entities hold data only, no functions; `access` and `scope` cannot be left out.
import type { Requirement } from './access.ts'
import type { Fields } from './field.ts'

/** Asked before anything else is; a call that is not listed here does not exist. */
export interface EntityAccess {
  /** Lists and single reads. */
  readonly view: Requirement
  /** Option lists of selects: id, title, value only. */
  readonly lookup: Requirement
  readonly create: Requirement
  readonly edit: Requirement
  readonly remove: Requirement
  /** A person at a screen only: an API key opens none of it. */
  readonly sessionOnly?: true
}

/**
 * Which rows a person with a narrowed view sees.
 * - everyone: the same rows for all who have access
 * - partner: rows whose column holds a visible partner's id
 * - linked: a PARTNER sees the rows that one of their links refers to; staff see all
 * - own: rows whose column holds the person's own user id; and those that colleagues share, when a column says so: staff with staff, people
 *   of a partner among themselves
 * - staff_or_partner: rows whose column is empty, or holds a visible partner's id
 */
export type RowScope =
  | { readonly by: 'everyone' }
  | { readonly by: 'partner'; readonly column: string }
  | { readonly by: 'linked'; readonly linkColumn: string }
  | { readonly by: 'through'; readonly column: string; readonly entity: string }
  | { readonly by: 'own'; readonly column: string; readonly shared?: string }
  /** Rows of no partner, and rows of a visible one: colleagues and the users of one's partners. */
  | { readonly by: 'staff_or_partner'; readonly column: string }

/** Of the business day on which a list is opened; each ends with it. */
export type OpeningPeriod = 'today' | 'two_weeks' | 'current_month'

export interface EntityFormSection {
  /** Key of the section's label. With more than one section, sections are tabs. */
  readonly name: string
  readonly fields: readonly string[]
}

export interface Entity {
  readonly name: string
  /** Path of its screens; null when it has none of its own. */
  readonly route: string | null
  readonly access: EntityAccess
  readonly scope: RowScope
  readonly fields: Fields
  /** The field by which people call a row. */
  readonly title: string
  /** Extra fields a look-up and a reference carry beside id and title. */
  readonly label?: readonly string[]
  /** Sets of fields that are unique together; the database calls the constraint `<entity>_<column>_<column>_key`. */
  readonly unique: readonly (readonly string[])[]
  /** False for rows that are never switched off (logs, histories). */
  readonly hasActive: boolean
  /** Rows are only added: they have an id and created_at, but no version and no updated_at. */
  readonly isLog?: true
  /** True when the entity has approved and unapproved rows that the list counts. */
  readonly countsUnapproved?: true
  readonly list: {
    /** Field names or paths through references ('offer.advertiser'). */
    readonly columns: readonly string[]
    readonly filters: readonly string[]
    readonly sort?: { readonly by: string; readonly desc: boolean }
    /** The days that the screen opens with; they move on with the calendar and are never kept. */
    readonly opens?: { readonly path: string; readonly period: OpeningPeriod }
    /** The filter panel is open at first. */
    readonly panel?: true
  }
  readonly form: readonly EntityFormSection[]
  /** Created in a modal from the list instead of on a /create route. */
  readonly createsInModal?: true
  /** Hundreds of thousands of rows: each filter and sort of the list has an index, references in front of the id. */
  readonly isLarge?: true
  /** Where the rows live: the record, or ClickHouse (clicks). */
  readonly source?: 'clickhouse'
}

export function defineEntity<const E extends Entity>(entity: E): E {
  return entity
}

/** The flag by which rows are switched off, when there is one. */
export function activeField(entity: Pick<Entity, 'hasActive' | 'fields'>): 'active' | 'enabled' | null {
  if (entity.hasActive) return 'active'
  return entity.fields.enabled?.kind === 'boolean' ? 'enabled' : null
}

/** Row states inside an edited nested collection. */
export const ROW_STATUSES = ['new', 'updated', 'deleted'] as const
export type RowStatus = (typeof ROW_STATUSES)[number]
