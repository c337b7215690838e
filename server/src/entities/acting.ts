// On whose behalf the store works: what they hold, which rows they see, and how the change is signed. Without one nothing can be read.

import { type Holder, isAllowed } from '@tributary/contract/access'
import type { Entity } from '@tributary/contract/entity'
import { type Field, isHidden } from '@tributary/contract/field'
import type { Kysely, Transaction } from 'kysely'
import type { Person } from '../access/person.ts'
import { scopeCondition } from '../access/scope.ts'
import type { Clickhouse } from '../clickhouse/client.ts'
import type { Config } from '../config.ts'
import type { Postgres } from '../postgres/client.ts'
import type { Database } from '../postgres/tables.ts'
import type { Fragment } from './model.ts'

export type Db = Kysely<Database> | Transaction<Database>

/** What the store works with: a server's services, or as much of them. */
export interface Engines {
  readonly postgres: Postgres
  readonly clickhouse: Clickhouse
  readonly config: Pick<Config, 'trackerUrl' | 'secret'>
}

export interface Acting {
  readonly userId: number
  readonly holder: Holder
  readonly requestId: string
  /** The partners they see; null = all. For rows that do not lie in the record. */
  readonly partners: readonly number[] | null
  /** The condition on the entity's rows under this alias; undefined = all rows. */
  scopeOf(entity: Entity, alias: string): Fragment | undefined
  readonly engines: Engines
}

export const actAs = (person: Person, requestId: string, engines: Engines): Acting => ({
  userId: person.id,
  holder: person,
  requestId,
  partners: person.scope.partners,
  scopeOf: (entity, alias) => scopeCondition(entity, person.scope, alias) ?? undefined,
  engines,
})

/** The same person, seeing every row: for a row that they have just made, which no scope could know of yet. */
export const withoutScope = (acting: Acting): Acting => ({ ...acting, partners: null, scopeOf: () => undefined })

export const isVisible = (acting: Acting, field: Field): boolean => !isHidden(field, acting.holder)

export const mayView = (acting: Acting, entity: Entity): boolean => isAllowed(entity.access.view, acting.holder)
