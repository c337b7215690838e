// The scope: which rows a person sees. It is loaded for every request; the entity store and the report compiler apply it.

import type { RoleKind } from '@tributary/contract/access'
import { ENTITIES } from '@tributary/contract/entities/registry'
import type { Entity, RowScope } from '@tributary/contract/entity'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Postgres } from '../postgres/client.ts'

export interface Scope {
  /** Ids of the visible partners; null = all. */
  readonly partners: readonly number[] | null
  /** Ids of the visible partner groups; null = all. */
  readonly groups: readonly number[] | null
  /** The group that an admin has filtered by; null = none. */
  readonly groupFilter: number | null
  /** True for a PARTNER, who sees only offers, landings etc. to which their partner offers refer. */
  readonly isLinkedOnly: boolean
  /** For rows that belong to one person. */
  readonly userId: number
}

/** Sees everything: for jobs and the server's own reads, never for a request. */
export const UNLIMITED: Scope = { partners: null, groups: null, groupFilter: null, isLinkedOnly: false, userId: 0 }

export interface ScopeHolder {
  readonly id: number
  readonly role: RoleKind
  readonly partnerId: number | null
}

/** `groupFilter` is the admin's global group filter; it is ignored for every other role. */
export async function loadScope(
  postgres: Postgres,
  holder: ScopeHolder,
  groupFilter: number | null = null,
): Promise<Scope> {
  const base = { groups: null, groupFilter: null, isLinkedOnly: false, userId: holder.id }
  switch (holder.role) {
    case 'ADMIN': {
      if (groupFilter === null) return { ...base, partners: null }
      const { partners } = await readMembers(postgres, 'group', groupFilter)
      return { ...base, partners, groupFilter }
    }
    case 'TEAM_LEADER':
      return { ...base, ...(await readMembers(postgres, 'leader', holder.id)) }
    case 'MANAGER':
      return { ...base, ...(await readMembers(postgres, 'manager', holder.id)) }
    case 'PARTNER':
      return { ...base, partners: holder.partnerId === null ? [] : [holder.partnerId], groups: [], isLinkedOnly: true }
  }
}

/** Selects groups with their active members. A leader's groups include empty ones. */
const MEMBERS_BY = {
  group: 'select partner_group_id, partner_id from partner_partner_group where active and partner_group_id = $1',
  leader: `select leader.partner_group_id, member.partner_id from partner_group_team_leader leader
    left join partner_partner_group member on member.partner_group_id = leader.partner_group_id and member.active
    where leader.user_id = $1`,
  manager: `select member.partner_group_id, member.partner_id from partner_group_manager manager
    join partner_partner_group member on member.id = manager.partner_partner_group_id
    where manager.active and member.active and manager.user_id = $1`,
} as const

interface Members {
  readonly partners: readonly number[]
  readonly groups: readonly number[]
}

async function readMembers({ pool }: Postgres, by: keyof typeof MEMBERS_BY, id: number): Promise<Members> {
  const { rows } = await pool.query<{ partner_group_id: number; partner_id: number | null }>({
    name: `scope-${by}`,
    text: MEMBERS_BY[by],
    values: [id],
  })
  return {
    partners: sortedIds(rows.flatMap(({ partner_id }) => partner_id ?? [])),
    groups: sortedIds(rows.map(({ partner_group_id }) => partner_group_id)),
  }
}

const sortedIds = (ids: readonly number[]): number[] => [...new Set(ids)].sort((a, b) => a - b)

type ScopedEntity = Pick<Entity, 'name' | 'scope'>
type SqlCondition = RawBuilder<SqlBool>

/**
 * The condition for visible rows of the entity's table under `alias`; null = all rows.
 * Only for tables in PostgreSQL: queries of ClickHouse use `scope.partners` themselves.
 */
export function scopeCondition(entity: ScopedEntity, scope: Scope, alias: string = entity.name): SqlCondition | null {
  const rule: RowScope = entity.scope
  const column = (name: string) => sql.ref(`${alias}.${name}`)
  switch (rule.by) {
    case 'everyone':
      return null
    case 'all_partners':
      return scope.partners === null ? null : sql<SqlBool>`false`
    case 'partner':
      return allOf([
        scope.partners === null ? null : isAmong(column(rule.column), scope.partners),
        rule.publishedAt === undefined || !scope.isLinkedOnly
          ? null
          : sql<SqlBool>`${column(rule.publishedAt)} is not null`,
        rule.group === undefined || scope.groups === null ? null : isAmong(column(rule.group), scope.groups),
      ])
    case 'group':
      return scope.groups === null ? null : isAmong(column(rule.column), scope.groups)
    case 'linked':
      return linkedCondition(rule, scope, column('id'))
    case 'through': {
      const outer = `${alias}_${rule.entity}`
      const condition = scopeCondition(findEntity(rule.entity), scope, outer)
      if (condition === null) return null
      const isReferred = sql`${sql.ref(`${outer}.id`)} = ${column(rule.column)}`
      return sql`exists (select 1 from ${sql.table(rule.entity)} as ${sql.id(outer)} where ${isReferred} and ${condition})`
    }
    case 'own': {
      const own = sql<SqlBool>`${column(rule.column)} = ${scope.userId}`
      return rule.shared === undefined
        ? own
        : sql<SqlBool>`(${own} or ${isShared(alias, rule.column, rule.shared, scope)})`
    }
    case 'staff_or_partner':
      return scope.partners === null
        ? null
        : sql`(${column(rule.column)} is null or ${isAmong(column(rule.column), scope.partners)})`
  }
}

const isAmong = (column: RawBuilder<unknown>, ids: readonly number[]): SqlCondition =>
  sql<SqlBool>`${column} = any(${ids}::int[])`

function allOf(conditions: readonly (SqlCondition | null)[]): SqlCondition | null {
  const given = conditions.filter((condition) => condition !== null)
  return given.length > 1 ? sql<SqlBool>`(${sql.join(given, sql` and `)})` : (given[0] ?? null)
}

/** Selects the ids once by the partner's index, instead of checking every row. */
function linkedCondition(
  { through, groups }: Extract<RowScope, { by: 'linked' }>,
  { partners, groupFilter, isLinkedOnly }: Scope,
  id: RawBuilder<unknown>,
): SqlCondition | null {
  const isFiltered = groupFilter !== null && groups !== undefined
  if (partners === null || !(isLinkedOnly || isFiltered)) return null
  const selects = [
    sql`select ${sql.id(through.column)} from ${sql.table(through.table)} where ${isAmong(sql.id('partner_id'), partners)}`,
  ]
  if (isFiltered)
    selects.push(
      sql`select ${sql.id(groups.column)} from ${sql.table(groups.table)} where partner_group_id = ${groupFilter}`,
    )
  return sql<SqlBool>`${id} in (${sql.join(selects, sql` union all `)})`
}

/** Colleagues are on the same side: staff, or the users of one partner. */
function isShared(alias: string, column: string, shared: string, scope: Scope): SqlCondition {
  const side = sql.ref(`${alias}_owner.partner_id`)
  const isColleague = scope.isLinkedOnly ? isAmong(side, scope.partners ?? []) : sql`${side} is null`
  return sql<SqlBool>`(${sql.ref(`${alias}.${shared}`)} and exists (select 1 from "user" as ${sql.id(`${alias}_owner`)}
    where ${sql.ref(`${alias}_owner.id`)} = ${sql.ref(`${alias}.${column}`)} and ${isColleague}))`
}

function findEntity(name: string): ScopedEntity {
  const found = Object.values(ENTITIES).find((entity) => entity.name === name)
  if (found === undefined) throw new Error(`no entity ${name} for a scope to go through`)
  return found
}
