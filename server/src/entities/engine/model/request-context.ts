// The request context: who calls the store, with permissions, visible rows and the request's id. Every store operation needs one.

import { type AccessHolder, isAllowed } from '@tributary/contract/access'
import type { Entity } from '@tributary/contract/entity'
import { type Field, isHidden } from '@tributary/contract/field'
import type { Language } from '@tributary/contract/language'
import { DEFAULT_ZONE } from '@tributary/contract/period'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Person } from '../../../access/person.ts'
import { scopeCondition } from '../../../access/scope.ts'
import type { Clickhouse } from '../../../clickhouse/client.ts'
import type { Config } from '../../../config.ts'
import type { Database, Postgres } from '../../../postgres/client.ts'
import type { Fragment } from './model.ts'

/** A connection, or the transaction that a request runs in. */
export type Db = Kysely<Database> | Transaction<Database>

/** The part of the server's services that the store needs. */
export interface Engines {
  readonly postgres: Postgres
  readonly clickhouse: Clickhouse
  readonly config: Pick<Config, 'trackerUrl' | 'secret'>
}

/** Who calls, with permissions, visible rows, language and transaction. */
export interface RequestContext {
  readonly userId: number
  readonly holder: AccessHolder
  readonly requestId: string
  /** Ids of the visible partners; null for all. Filters rows outside PostgreSQL, to which `scopeOf` does not apply. */
  readonly partners: readonly number[] | null
  /** SQL condition for visible rows of the entity under this alias; undefined if all rows are visible. */
  scopeOf(entity: Entity, alias: string): Fragment | undefined
  readonly engines: Engines
  /** The language of derived texts; absent: English. */
  readonly language?: Language
}

/** The context of a request: the person, their rows, and the engines outside of a transaction. */
export const contextFor = (person: Person, requestId: string, engines: Engines): RequestContext => ({
  userId: person.id,
  holder: person,
  requestId,
  partners: person.scope.partners,
  scopeOf: (entity, alias) => scopeCondition(entity, person.scope, alias) ?? undefined,
  engines,
})

/** The same caller without row limits: to read a row that the caller has just created. */
export const withoutScope = (context: RequestContext): RequestContext => ({
  ...context,
  partners: null,
  scopeOf: () => undefined,
})

/**
 * Like `scopeOf`, for rows to which a many-valued field of a visible row refers. For a PARTNER and scope `linked` such rows are visible by
 * definition, so no condition is needed.
 */
export const scopeOfNamed = (context: RequestContext, target: Entity, alias: string): Fragment | undefined =>
  target.scope.by === 'linked' && context.holder.role === 'PARTNER' ? undefined : context.scopeOf(target, alias)

/** True if the caller may receive the field. */
export const isVisible = (context: RequestContext, field: Field): boolean => !isHidden(field, context.holder)

/** True if the caller may view rows of the entity at all. */
export const mayView = (context: RequestContext, entity: Entity): boolean =>
  isAllowed(entity.access.view, context.holder)

/** Reads the business time zone (IANA name) from the settings. */
export async function readBusinessZone(db: Db): Promise<string> {
  const { rows } = await sql<{ zone: string }>`select business_time_zone as zone from setting`.execute(db)
  return rows[0]?.zone ?? DEFAULT_ZONE
}
