// The law after each round: the record, the facts, the reports, the statements and the partners agree with what was answered.

import { statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { GeneralReportAnswer, GeneralReportRowsAnswer, Metrics } from '@tributary/contract/reports/general'
import type { Traffic } from '../support/traffic.ts'
import type { Admin } from './admin.ts'
import { MANUAL_STREAM, SHARES, SHEET_MONTH } from './model.ts'
import { awaitRecord, readRecord, type World } from './works.ts'

const FIRST_DAY = '2018-01-01'
const DAY_MS = 86_400_000
const PATIENCE_MS = 240_000
const PAGE = 10_000

export interface RoundOfClicks {
  /** The sub ID of every click that was sent in the round. */
  readonly subId: string
  readonly confirmed: readonly string[]
}

/** Everything that differs, in words; empty if all laws hold. */
export async function findDifferences(world: World, traffic: Traffic, clicks: RoundOfClicks): Promise<string[]> {
  await endJobs(world)
  const differences: string[] = []
  const expectSame = (what: string, found: unknown, expected: unknown): void => {
    if (JSON.stringify(found) !== JSON.stringify(expected))
      differences.push(`${what}: found ${JSON.stringify(found)}, expected ${JSON.stringify(expected)}`)
  }
  await awaitFreshness(world.admin)
  await checkClicks(world, traffic, clicks, expectSame)
  await checkPlayers(world, traffic, expectSame)
  await checkFiles(world, expectSame)
  await checkMonths(world, expectSame)
  await checkSpends(world, expectSame)
  await checkMoney(world, expectSame)
  await checkPartner(world, traffic, expectSame)
  return differences
}

type ExpectSame = (what: string, found: unknown, expected: unknown) => void

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
const filterOf = (more: object) => ({
  groupBy: 'offer',
  dateFrom: FIRST_DAY,
  dateTo: dayOf(Date.now() + DAY_MS),
  ...more,
})

async function report(admin: Admin, filter: object): Promise<GeneralReportAnswer> {
  const answer = await admin.call('POST', 'general_report', { filter: filterOf(filter) })
  if (answer.status !== 200) throw new Error(`the report was answered ${answer.status}: ${JSON.stringify(answer.body)}`)
  return answer.body as GeneralReportAnswer
}

/** Waits for a report that contains everything up to now. */
async function awaitFreshness(admin: Admin): Promise<void> {
  const asked = Date.now()
  for (const until = asked + PATIENCE_MS; Date.now() < until; await sleep(300)) {
    const { watermark } = await report(admin, {})
    if (Date.parse(watermark) >= asked) return
  }
  throw new Error('reports do not get fresh')
}

/** Every confirmed click of the round once, and no other but those that got no answer. */
async function checkClicks(
  { admin }: World,
  traffic: Traffic,
  { subId, confirmed }: RoundOfClicks,
  expectSame: ExpectSame,
) {
  const ids: string[] = []
  for (let page = 1; ; page++) {
    const answer = await admin.call('POST', 'general_report/rows', {
      filter: filterOf({ groupBy: 'sub_id', subId: [subId] }),
      cell: { path: [], metric: 'cc' },
      pagination: { page, limit: PAGE },
    })
    const { items, pagination } = answer.body as GeneralReportRowsAnswer
    for (const item of items) if ('id' in item) ids.push(item.id)
    if (page >= pagination.maxPageNumber) break
  }
  const found = new Set(ids)
  expectSame('clicks counted twice', ids.length - found.size, 0)
  expectSame('confirmed clicks that are lost', confirmed.filter((id) => !found.has(id)).slice(0, 5), [])
  const { total } = await report(admin, {})
  const [least, most] = [traffic.confirmed.length, traffic.confirmed.length + traffic.open()]
  if (Number(total.cc) < least || Number(total.cc) > most) expectSame('clicks in all', total.cc, `${least} to ${most}`)
  // Every visitor came once, with an address of their own.
  expectSame('unique clicks', total.uc, total.cc)
}

async function checkPlayers({ admin }: World, traffic: Traffic, expectSame: ExpectSame): Promise<void> {
  const { total } = await report(admin, { offers: [1] })
  const amount = [...traffic.deposits.values()].reduce((sum, one) => sum + one, 0)
  expectSame('players of postbacks', pick(total, ['cr', 'nd', 'deposits', 'deposits_amount']), {
    cr: traffic.registrations.size,
    nd: traffic.registrations.size,
    deposits: traffic.deposits.size,
    deposits_amount: amount,
  })
}

const pick = (metrics: Metrics, names: readonly (keyof Metrics)[]) =>
  Object.fromEntries(names.map((name) => [name, metrics[name] ?? 0]))

interface FileRow {
  readonly name: string
  readonly status: string
  readonly error: string | null
  readonly entries: number
}

/** Each file at least once and no more often than it was sent, with all of its rows, or with none if it failed. */
async function checkFiles(world: World, expectSame: ExpectSame): Promise<void> {
  const rows =
    (await readRecord<FileRow>(
      world,
      `select r.file_name as name, r.status, r.error, (select count(*)::int from player p join player_report e on e.player_id = p.id
        where p.outer_id like 'file-' || substring(r.file_name from '\\d+') || '-%') as entries from report r order by r.id`,
    )) ?? []
  for (const file of world.model.files) {
    const found = rows.filter(({ name }) => name === file.name)
    if (found.length === 0 && !file.answered) continue
    expectSame(`${file.name} is there`, found.length >= 1 && found.length <= file.sent, true)
    const isTaken = found.some(({ status }) => status === 'success' || status === 'warnings')
    expectSame(
      `rows of ${file.name}, ${found[0]?.status} ${found[0]?.error ?? ''}`,
      found[0]?.entries,
      isTaken ? file.rows : 0,
    )
  }
}

/** An independent count of the record by month, in the currency of the reports. */
const RECOUNT = `
  with day as (
    select p.offer_partner_id, e.player_id, (e.happened_at at time zone s.business_time_zone)::date as on_day,
      count(*)::int as deposits, sum(e.amount) as amount, 0::numeric as income
    from player_event e join player p on p.id = e.player_id, setting s
    where e.type = 'dep' and p.active group by 1, 2, 3
    union all
    select p.offer_partner_id, r.player_id, r.report_date, r.deposits_count, r.deposits, r.income
    from player_report r join player p on p.id = r.player_id where p.active)
  select to_char(d.on_day, 'YYYY-MM') as month, sum(d.deposits)::int as deposits, sum(d.amount)::float as amount, sum(d.income)::float as income
  from day d join offer_partner l on l.id = d.offer_partner_id where l.offer_id = any($1) group by 1 order by 1`

async function checkMonths(world: World, expectSame: ExpectSame): Promise<void> {
  for (const offers of [[1], [SHARES.offer]]) {
    const counted = await readRecord(world, RECOUNT, [offers])
    const { rows } = await report(world.admin, { groupBy: 'month', secondGroupBy: 'off', offers })
    const told = rows
      .map(({ m, g: group }) => ({
        month: `${group?.year}-${String(group?.month).padStart(2, '0')}`,
        deposits: m.deposits ?? 0,
        amount: m.deposits_amount ?? 0,
        income: m.income ?? 0,
      }))
      .filter(({ deposits }) => deposits > 0)
      .sort((a, b) => a.month.localeCompare(b.month))
    expectSame(`a recount of offers ${offers.join()}`, told, counted)
  }
}

async function checkSpends(world: World, expectSame: ExpectSame): Promise<void> {
  const { spends, sheet } = world.model
  const [found] =
    (await readRecord<{ hand: number; rows: number; sheet: number }>(
      world,
      `select coalesce(sum(sum) filter (where stream_id = $1), 0)::float as hand, count(*) filter (where stream_id = $1)::int as rows,
        coalesce(sum(sum) filter (where to_char(date, 'YYYY-MM') = $2), 0)::float as sheet from partner_spend where active`,
      [MANUAL_STREAM, SHEET_MONTH],
    )) ?? []
  const hand = [...spends.values()].reduce((all, one) => all + one, 0)
  expectSame('entered spends', found, { hand, rows: spends.size, sheet: sheet?.sum ?? 0 })
  const { total } = await report(world.admin, { partners: [SHARES.partner] })
  const income = Number(total.income ?? 0)
  expectSame('spend in reports', cents(total.s), cents(hand + (sheet?.sum ?? 0) + (income * SHARES.percent) / 100))
}

const cents = (amount: unknown): number => Math.round(Number(amount ?? 0) * 100)

interface MoneyRow {
  readonly closes: number
  readonly owed: string
  readonly statements: number
  readonly total: string
  readonly payments: number
  readonly paid: string
  readonly invoices: number
}

async function checkMoney(world: World, expectSame: ExpectSame): Promise<void> {
  for (const entry of world.model.months.filter(({ closed }) => closed)) {
    const [found] =
      (await readRecord<MoneyRow>(
        world,
        `select (select count(*)::int from period_close where month = $1) as closes,
          (select coalesce(sum(amount), 0)::text from ledger_entry where earned_month = $1) as owed,
          (select count(*)::int from statement where month = $1 and partner_id = $2 and state <> 'void') as statements,
          (select coalesce(sum(total), 0)::text from statement where month = $1 and partner_id = $2 and state <> 'void') as total,
          (select count(*)::int from payment p join statement s on s.id = p.statement_id where s.month = $1) as payments,
          (select coalesce(sum(p.amount), 0)::text from payment p join statement s on s.id = p.statement_id where s.month = $1) as paid,
          (select count(*)::int from payment_invoice i join statement s on s.id = i.statement_id where s.month = $1) as invoices`,
        [entry.month, SHARES.partner],
      )) ?? []
    if (found === undefined) throw new Error('the record cannot be read')
    const owed = cents((entry.income * SHARES.percent) / 100)
    const has = owed === 0 ? 0 : 1
    expectSame(
      `the money of ${entry.month}`,
      { ...found, owed: cents(found.owed), total: cents(found.total), paid: cents(found.paid) },
      { closes: 1, owed, statements: has, total: owed, payments: has, paid: cents(entry.paid), invoices: has },
    )
  }
  await checkCrm(world, expectSame)
}

/** Each sent invoice is booked once; the keys of the record are those of the CRM. */
async function checkCrm(world: World, expectSame: ExpectSame): Promise<void> {
  const { crm, months } = world.model
  const sent = months.filter(({ invoice }) => invoice !== undefined)
  for (const until = Date.now() + PATIENCE_MS; crm.booked.size < sent.length && Date.now() < until; await sleep(500))
    await readRecord(world, `update payment_invoice set next_attempt_at = now() where status = 'queued' returning id`)
  expectSame('invoices that the CRM has booked', crm.booked.size, sent.length)
}

/** Partners received every event under one key. */
async function checkPartner(world: World, traffic: Traffic, expectSame: ExpectSame): Promise<void> {
  const { told } = world.model.partner
  const expected = [...traffic.registrations].flatMap((player) => [`reg ${player}`, `ftd ${player}`])
  const missing = (): string[] => expected.filter((event) => !told.has(event))
  for (const until = Date.now() + PATIENCE_MS; missing().length > 0 && Date.now() < until; await sleep(500))
    await readRecord(
      world,
      `update postback set next_attempt_at = now() where status = 'pending' and next_attempt_at > now() + interval '1 second' returning id`,
    )
  expectSame('events that no partner was told of', missing().slice(0, 5), [])
  const doubled = [...told].filter(([, keys]) => keys.size > 1).map(([event]) => event)
  expectSame('events that were put on their way twice', doubled.slice(0, 5), [])
}

const OPEN_WORK = `select (select count(*)::int from report where status in ('waiting', 'processing'))
  + (select count(*)::int from jobs.job where name = 'parse-sheet' and state in ('created', 'retry', 'active')) as open`

/** Skips the silence after which a killed worker is noticed, and the pauses before the next attempt. */
async function endJobs(world: World): Promise<void> {
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until; await sleep(250)) {
    const { open } = await awaitRecord<{ open: number }>(world, 'a look at the jobs', OPEN_WORK)
    if (open === 0) return
    await hurryJobs(world)
  }
  throw new Error('imports or parses do not end')
}

/** Only jobs of processes that have ended count as abandoned. */
export async function hurryJobs(world: World): Promise<void> {
  const [app] = world.installation.pids('app')
  if (app === undefined) return
  let startedAt: Date
  try {
    startedAt = statSync(`/proc/${app}`).ctime
  } catch {
    return
  }
  await readRecord(
    world,
    `update jobs.job set heartbeat_on = heartbeat_on - interval '1 minute' where state = 'active' and started_on < $1 returning id`,
    [startedAt],
  )
  await readRecord(world, 'update jobs.queue set monitor_on = null returning name')
  await readRecord(world, `update jobs.job set start_after = now() where state = 'retry' returning id`)
}

/** At the end of a run every confirmed click is looked for once more. */
export async function findLostClicks({ admin }: World, traffic: Traffic): Promise<string[]> {
  const found = new Set<string>()
  let listed = 0
  for (let page = 1; ; page++) {
    const answer = await admin.call('POST', 'general_report/rows', {
      filter: filterOf({}),
      cell: { path: [], metric: 'cc' },
      pagination: { page, limit: PAGE },
    })
    const { items, pagination } = answer.body as GeneralReportRowsAnswer
    listed += items.length
    for (const item of items) if ('id' in item) found.add(item.id)
    if (page >= pagination.maxPageNumber) break
  }
  const lost = traffic.confirmed.filter((id) => !found.has(id))
  return [
    ...(lost.length > 0 ? [`${lost.length} confirmed clicks are lost at the end: ${lost.slice(0, 3).join()}`] : []),
    ...(listed > found.size ? [`${listed - found.size} clicks are there twice at the end`] : []),
  ]
}
