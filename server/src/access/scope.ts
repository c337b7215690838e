// Which rows a person sees: computed for every request, handed as data to the entity store and to the report compiler, applied there.
// A condition that is forgotten for a new kind of scope does not compile.

import type { RoleKind } from '@tributary/contract/access'
import { ENTITIES } from '@tributary/contract/entities/registry'
import type { Entity, RowScope } from '@tributary/contract/entity'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Postgres } from '../postgres/client.ts'

export interface Scope {
  /** Visible partners; null = all of them. */
  readonly partners: readonly number[] | null
  /** True for a PARTNER: of offers and the like only those that one of their links refers to. */
  readonly isLinkedOnly: boolean
  /** For rows that belong to one person. */
  readonly userId: number
}

/** Sees everything: for jobs and the product's own reading, never for a request. */
export const UNLIMITED: Scope = { partners: null, isLinkedOnly: false, userId: 0 }

export interface ScopeHolder {
  readonly id: number
  readonly role: RoleKind
  readonly partnerId: number | null
}

/** `group` is the admin's global filter; nobody else has one. */
export async function loadScope(postgres: Postgres, holder: ScopeHolder, group: number | null = null): Promise<Scope> {
  const scope = (partners: readonly number[] | null): Scope => ({
    partners,
    isLinkedOnly: holder.role === 'PARTNER',
    userId: holder.id,
  })
  switch (holder.role) {
    case 'ADMIN':
      return scope(group === null ? null : await readPartners(postgres, 'group', group))
    case 'TEAM_LEADER':
      return scope(await readPartners(postgres, 'leader', holder.id))
    case 'MANAGER':
      return scope(await readPartners(postgres, 'manager', holder.id))
    case 'PARTNER':
      return scope(holder.partnerId === null ? [] : [holder.partnerId])
  }
}

const PARTNERS_BY = {
  group: 'select distinct partner_id from partner_partner_group where active and partner_group_id = $1 order by 1',
  leader: `select distinct member.partner_id from partner_group_team_leader leader
    join partner_partner_group member using (partner_group_id) where member.active and leader.user_id = $1 order by 1`,
  manager: `select distinct member.partner_id from partner_group_manager manager
    join partner_partner_group member on member.id = manager.partner_partner_group_id
    where manager.active and member.active and manager.user_id = $1 order by 1`,
} as const

async function readPartners({ pool }: Postgres, by: keyof typeof PARTNERS_BY, id: number): Promise<number[]> {
  const { rows } = await pool.query<{ partner_id: number }>({
    name: `scope-${by}`,
    text: PARTNERS_BY[by],
    values: [id],
  })
  return rows.map((row) => row.partner_id)
}

type ScopedEntity = Pick<Entity, 'name' | 'scope'>

/**
 * The condition on rows of the entity's table, which the statement calls `alias`; null = no row is hidden.
 * Only for tables of the record: what lives in ClickHouse takes `scope.partners` itself.
 */
export function scopeCondition(
  entity: ScopedEntity,
  scope: Scope,
  alias: string = entity.name,
): RawBuilder<SqlBool> | null {
  const rule: RowScope = entity.scope
  switch (rule.by) {
    case 'everyone':
      return null
    case 'partner':
      return scope.partners === null ? null : isVisible(sql.ref(`${alias}.${rule.column}`), scope.partners)
    case 'linked': {
      if (!scope.isLinkedOnly || scope.partners === null) return null
      const link = sql.ref(`${alias}_link.${rule.linkColumn}`)
      const isOwn = isVisible(sql.ref(`${alias}_link.partner_id`), scope.partners)
      return sql<SqlBool>`exists (select 1 from offer_partner as ${sql.id(`${alias}_link`)} where ${link} = ${sql.ref(`${alias}.id`)} and ${isOwn})`
    }
    case 'through': {
      const outer = `${alias}_${rule.entity}`
      const condition = scopeCondition(findEntity(rule.entity), scope, outer)
      if (condition === null) return null
      const isReferred = sql`${sql.ref(`${outer}.id`)} = ${sql.ref(`${alias}.${rule.column}`)}`
      return sql<SqlBool>`exists (select 1 from ${sql.table(rule.entity)} as ${sql.id(outer)} where ${isReferred} and ${condition})`
    }
    case 'own': {
      const own = sql<SqlBool>`${sql.ref(`${alias}.${rule.column}`)} = ${scope.userId}`
      return rule.shared === undefined
        ? own
        : sql<SqlBool>`(${own} or ${isShared(alias, rule.column, rule.shared, scope)})`
    }
    case 'staff_or_partner': {
      if (scope.partners === null) return null
      const column = sql.ref(`${alias}.${rule.column}`)
      return sql<SqlBool>`(${column} is null or ${isVisible(column, scope.partners)})`
    }
  }
}

const isVisible = (column: RawBuilder<unknown>, partners: readonly number[]): RawBuilder<SqlBool> =>
  sql<SqlBool>`${column} = any(${partners}::int[])`

/** Colleagues are those on the same side: the network's people, or those of one partner. */
function isShared(alias: string, column: string, shared: string, scope: Scope): RawBuilder<SqlBool> {
  const side = sql.ref(`${alias}_owner.partner_id`)
  const isColleague = scope.isLinkedOnly ? sql`${side} = any(${scope.partners ?? []}::int[])` : sql`${side} is null`
  return sql<SqlBool>`(${sql.ref(`${alias}.${shared}`)} and exists (select 1 from "user" as ${sql.id(`${alias}_owner`)}
    where ${sql.ref(`${alias}_owner.id`)} = ${sql.ref(`${alias}.${column}`)} and ${isColleague}))`
}

function findEntity(name: string): ScopedEntity {
  const found = Object.values(ENTITIES).find((entity) => entity.name === name)
  if (found === undefined) throw new Error(`there is no entity ${name} to take a scope through`)
  return found
}
