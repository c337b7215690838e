// What a record's overview shows that differs by entity: its place in reports, the rows that hang on it, and parts of its own.
import type { EntityName } from '@tributary/contract/entities/registry'
import type { Condition } from '@tributary/contract/list-query'
import type { MetricName } from '@tributary/contract/reports/traffic'
import type { ComponentType } from 'react'
import type { SectionProps } from '../../entities/form/form-slots.ts'
import type { Row } from '../../entities/list/list-query.ts'
import type { Filters } from '../filter/filter-state.ts'

/** Rows of another entity that belong to the record. */
export interface Relation {
  readonly entity: EntityName
  readonly conditions: (record: Row) => readonly Condition[]
  /** Names a row among the others; absent: its title. */
  readonly nameOf?: (row: Row) => string
  /** A log, whose rows are not worth listing: only the way to it is shown. */
  readonly isLog?: true
}

/** A record that this one refers to, or another screen that tells more about it. */
export interface Lead {
  readonly label: string
  readonly title: string
  /** Null: the user may not open it. */
  readonly to: string | null
  readonly search?: Readonly<Record<string, string>>
}

export interface OverviewSlots {
  readonly title?: (record: Row) => string
  /** Narrows a report to the record. */
  readonly filters: (record: Row) => Filters
  readonly metrics: readonly MetricName[]
  readonly relations: readonly Relation[]
  /** What is needed first, above the numbers. */
  readonly Top?: ComponentType<SectionProps>
  /** What is shown below the numbers. */
  readonly Below?: ComponentType<SectionProps>
  /** In the header. */
  readonly actions?: ComponentType<SectionProps>
}

/** A reference of a record; null if it is empty or hidden from the user. */
export function referenceIn(
  record: Readonly<Record<string, unknown>>,
  field: string,
): { id: number; title: string } | null {
  const value = record[field]
  if (typeof value !== 'object' || value === null || !('id' in value) || typeof value.id !== 'number') return null
  return { id: value.id, title: 'title' in value && typeof value.title === 'string' ? value.title : `#${value.id}` }
}

/** The condition that a reference is the record. */
export const refersTo =
  (path: string) =>
  ({ id }: Row): readonly Condition[] => [{ path, operator: 'in', values: [String(id)] }]

export const only = (id: number | string) => ({ mode: 'in', values: [id] }) as const
