// Row scope with a real PostgreSQL: the rows of each entity that each kind of role sees.
import { ENTITIES } from '@tributary/contract/entities/registry'
import type { RowScope } from '@tributary/contract/entity'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadScope, type Scope, scopeCondition, UNLIMITED } from '../../src/access/scope.ts'
import { connectPostgres, type Postgres } from '../../src/postgres/client.ts'
import { createTestDatabase, log } from '../support/harness.ts'

let postgres: Postgres

/** Partners 1, 2, 3; groups 1 = {1, 2}, 2 = {3}; user 10 leads group 1, 11 manages partner 2; partner offer 1 → partner 1, offer 1 and so on. */
const NETWORK = `
insert into currency (id, title, value) overriding system value values (900, 'Test', 'TST');
insert into "user" (id, full_name, email, role_id) overriding system value
  select id, 'U' || id, 'u' || id || '@x.test', 1 from unnest(array[10, 11, 12, 13]) id;
insert into partner (id, title) overriding system value values (1, 'P1'), (2, 'P2'), (3, 'P3');
insert into partner_group (id, title) overriding system value values (1, 'G1'), (2, 'G2'), (3, 'Empty');
insert into partner_partner_group (id, partner_id, partner_group_id, active) overriding system value values (1, 1, 1, true), (2, 2, 1, true), (3, 3, 2, true), (4, 3, 1, false);
insert into partner_group_team_leader (partner_group_id, user_id) values (1, 10), (3, 12);
insert into partner_group_manager (partner_partner_group_id, user_id, active) values (2, 11, true), (3, 11, false);
insert into traffic_source (id, title) overriding system value values (900, 'TS');
insert into partner_stream (id, partner_id, title) overriding system value values (1, 1, 'S1'), (2, 2, 'S2'), (3, 3, 'S3');
`

beforeAll(async () => {
  const { url } = await createTestDatabase()
  postgres = connectPostgres(url, log)
  await postgres.pool.query('set session_replication_role = replica')
  const client = await postgres.pool.connect()
  // Skips foreign keys, because only ids matter here.
  await client.query('set session_replication_role = replica')
  await client.query(NETWORK)
  for (const id of [1, 2, 3]) {
    await client.query(
      `insert into offer (id, title, advertiser_id, advertiser_country_id, payment_model_id, currency_id, cost) overriding system value
       values ($1, 'O' || $1::int, 1, 1, 1, 900, 1)`,
      [id],
    )
    await client.query(
      `insert into offer_partner (id, offer_id, partner_id, stream_id, traffic_source_id, site_id, currency_id) overriding system value
       values ($1, $1, $1, $1, 900, 'site' || $1::int, 900)`,
      [id],
    )
    await client.query(
      'insert into offer_partner_postback (id, offer_partner_id) overriding system value values ($1, $1)',
      [id],
    )
  }
  client.release(true)
})

afterAll(() => postgres.close())

async function visible(entity: { name: string; scope: RowScope }, scope: Scope): Promise<number[]> {
  const condition = scopeCondition(entity, scope, 'shown') ?? sql`true`
  const { rows } = await sql<{
    id: number
  }>`select shown.id from ${sql.table(entity.name)} as shown where ${condition} order by 1`.execute(postgres.db)
  return rows.map((row) => row.id)
}

const scopeOf = (
  id: number,
  role: 'ADMIN' | 'TEAM_LEADER' | 'MANAGER' | 'PARTNER',
  partnerId: number | null = null,
  group: number | null = null,
) => loadScope(postgres, { id, role, partnerId }, group)

test('each kind of role sees its partners [PERM-07]', async () => {
  expect((await scopeOf(13, 'ADMIN')).partners).toBeNull()
  expect((await scopeOf(10, 'TEAM_LEADER')).partners).toEqual([1, 2])
  expect((await scopeOf(12, 'TEAM_LEADER')).partners).toEqual([])
  expect((await scopeOf(11, 'MANAGER')).partners).toEqual([2])
  expect((await scopeOf(10, 'MANAGER')).partners).toEqual([])
  expect((await scopeOf(13, 'PARTNER', 3)).partners).toEqual([3])
  expect((await scopeOf(13, 'PARTNER')).partners).toEqual([])
})

test('each kind of role sees its groups [PERM-07]', async () => {
  expect((await scopeOf(13, 'ADMIN')).groups).toBeNull()
  expect((await scopeOf(13, 'ADMIN', null, 1)).groups).toBeNull()
  expect((await scopeOf(10, 'TEAM_LEADER')).groups).toEqual([1])
  expect((await scopeOf(12, 'TEAM_LEADER')).groups).toEqual([3])
  expect((await scopeOf(11, 'MANAGER')).groups).toEqual([1])
  expect((await scopeOf(10, 'MANAGER')).groups).toEqual([])
  expect((await scopeOf(13, 'PARTNER', 3)).groups).toEqual([])
})

test('the group filter limits an admin to that group’s partners, and has no effect for others [PERM-06]', async () => {
  expect((await scopeOf(13, 'ADMIN', null, 1)).partners).toEqual([1, 2])
  expect((await scopeOf(13, 'ADMIN', null, 3)).partners).toEqual([])
  expect((await scopeOf(13, 'ADMIN', null, 4711)).partners).toEqual([])
  expect((await scopeOf(11, 'MANAGER', null, 1)).partners).toEqual([2])
})

test('rows of a partner, rows through a partner offer and partner offers have the same scope [PERM-07]', async () => {
  const expected: [Scope, number[]][] = [
    [await scopeOf(13, 'ADMIN'), [1, 2, 3]],
    [UNLIMITED, [1, 2, 3]],
    [await scopeOf(10, 'TEAM_LEADER'), [1, 2]],
    [await scopeOf(11, 'MANAGER'), [2]],
    [await scopeOf(13, 'PARTNER', 3), [3]],
    [await scopeOf(13, 'PARTNER'), []],
  ]
  for (const [scope, ids] of expected) {
    for (const name of ['partner', 'partner_stream', 'offer_partner', 'offer_partner_postback'] as const) {
      expect([name, await visible(ENTITIES[name], scope)]).toEqual([name, ids])
    }
    expect(await visible(ENTITIES.offer, scope)).toEqual(scope.isLinkedOnly ? ids : [1, 2, 3])
  }
})

test('personal rows are seen by their user only [PERM-07]', async () => {
  const owned = { name: 'partner_group_manager', scope: { by: 'own', column: 'user_id' } } as const
  expect(await visible(owned, await scopeOf(11, 'MANAGER'))).toHaveLength(2)
  expect(await visible(owned, await scopeOf(13, 'ADMIN'))).toHaveLength(0)
})

test('PostgreSQL accepts the scope condition of every entity [PERM-07]', async () => {
  const scope = await scopeOf(13, 'PARTNER', 1)
  for (const entity of Object.values(ENTITIES)) {
    if ('source' in entity) continue
    const condition = scopeCondition(entity, scope)
    if (entity.scope.by === 'everyone') expect([entity.name, condition]).toEqual([entity.name, null])
    else await sql`explain select 1 from ${sql.table(entity.name)} where ${condition}`.execute(postgres.db)
  }
})
