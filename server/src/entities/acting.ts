// On whose behalf the store works: what they hold, which rows they see, and how the change is signed. Without one nothing can be read.

import { type Holder, isAllowed } from '@tributary/contract/access'
import type { Entity } from '@tributary/contract/entity'
import type { Field } from '@tributary/contract/field'
import type { Kysely, Transaction } from 'kysely'
import type { Database } from '../postgres/tables.ts'
import type { Fragment } from './model.ts'

export type Db = Kysely<Database> | Transaction<Database>

export interface Acting {
  /** Null: the product itself, for jobs and the demo. */
  readonly userId: number | null
  readonly holder: Holder
  readonly requestId: string | null
  /** The partners they see; null = all. For rows that do not lie in the record. */
  readonly partners: readonly number[] | null
  /** The condition on the entity's rows under this alias; undefined = all rows. */
  scopeOf(entity: Entity, alias: string): Fragment | undefined
}

export const isVisible = (acting: Acting, field: Field): boolean => !field.hiddenFrom?.includes(acting.holder.role)

export const mayView = (acting: Acting, entity: Entity): boolean => isAllowed(entity.access.view, acting.holder)
