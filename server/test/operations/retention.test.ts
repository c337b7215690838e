// Retention: what is older than the settings say goes by whole months, and nothing else does.

import { beforeAll, expect, test } from 'vitest'
import { applyRetention } from '../../src/jobs/apply-retention.ts'
import { addMonthPartitions, dropMonthPartitions, monthFrom } from '../../src/postgres/month-partitions.ts'
import { startTestServices, type TestServices } from '../support/harness.ts'

let services: TestServices

beforeAll(async () => {
  services = await startTestServices()
})

async function sql(text: string, values: readonly unknown[] = []): Promise<Record<string, unknown>[]> {
  const { rows } = await services.postgres.pool.query<Record<string, unknown>>(text, [...values])
  return rows
}

const runJob = () =>
  applyRetention.run({}, { services, signal: new AbortController().signal, id: '', attempt: 1, isLastAttempt: true })

const partitionsOf = async (table: string) =>
  (
    await sql(
      `select inhrelid::regclass::text as name from pg_inherits where inhparent = '${table}'::regclass order by 1`,
    )
  ).map(({ name }) => name)
const monthOf = (months: number) => monthFrom(Date.now(), months).replace('-', '_')
const addEntry = async (months: number) => {
  const at = `${monthFrom(Date.now(), months)}-15T12:00:00Z`
  const [row] = await sql(`insert into audit_log (at, action, entity) values ($1, 'update', 'offer') returning id`, [
    at,
  ])
  return Number(row?.id)
}

test('partitions are made before their month; rows that came without one move into it; nothing changes twice [SYS-06]', async () => {
  const ids = [await addEntry(0), await addEntry(5), await addEntry(6)]
  expect(await sql('select id from audit_log_rest order by id')).toEqual([{ id: ids[1] }, { id: ids[2] }])
  await runJob()
  const ahead = [`audit_log_${monthOf(2)}`, `audit_log_${monthOf(3)}`]
  expect(await partitionsOf('audit_log')).toEqual([...ahead, 'audit_log_past', 'audit_log_rest'])
  expect(await addMonthPartitions(services.postgres, Date.now())).toEqual([])
  const inTwoMonths = Date.parse(`${monthFrom(Date.now(), 2)}-10`)
  expect(await addMonthPartitions(services.postgres, inTwoMonths)).toHaveLength(6)
  expect(await sql(`select id from audit_log_${monthOf(5)}`)).toEqual([{ id: ids[1] }])
  expect(await sql('select id from audit_log_rest')).toEqual([{ id: ids[2] }])
  expect((await sql('select id from audit_log where id = any($1) order by id', [ids])).map(({ id }) => id)).toEqual(ids)
  // Every partition has the indexes of the table, and a key of its own.
  const indexes = await sql(`select indrelid::regclass::text as name, count(*) as count from pg_index
    where indrelid::regclass::text like 'audit_log%' and indrelid <> 'audit_log'::regclass group by 1`)
  expect(new Set(indexes.map(({ count }) => count)).size).toBe(1)
})

test('only months that ended before the time of retention are dropped [SYS-06]', async () => {
  const kept = await addEntry(4)
  const gone = await addEntry(3)
  const before = monthFrom(Date.now(), 4)
  expect(await dropMonthPartitions(services.postgres, 'audit_log', before)).toEqual([
    'audit_log_past',
    `audit_log_${monthOf(2)}`,
    `audit_log_${monthOf(3)}`,
  ])
  expect(await dropMonthPartitions(services.postgres, 'audit_log', before)).toEqual([])
  expect(await sql('select id from audit_log where id = any($1)', [[kept, gone]])).toEqual([{ id: kept }])
  // Without the past, too, the next months are made.
  expect(await addMonthPartitions(services.postgres, Date.parse(`${before}-10`))).toHaveLength(6)
})

test('the job drops what the settings say, each table by its own, and keeps for ever without one [SYS-06]', async () => {
  const old = monthFrom(Date.now(), -30)
  await sql('alter table postback detach partition postback_past')
  await sql(`create table postback_old partition of postback for values from (minvalue) to ('${old}-01Z')`)
  await runJob()
  expect(await partitionsOf('postback')).toContain('postback_old')
  await sql('update setting set postback_months = 30, attempt_months = 1')
  await runJob()
  expect(await partitionsOf('postback')).not.toContain('postback_old')
  expect(await partitionsOf('postback_attempt')).toContain('postback_attempt_past')
  await expect(sql('update setting set audit_months = 2')).rejects.toThrow('setting_audit_months_check')
})
