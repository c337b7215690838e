// What becomes known of the demo's months after they are closed, by the product's own ways: an advertiser's corrected report, players who are
// not paid for, and a month that is reopened for a corrected spend.
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { monthAfter } from '@tributary/contract/period'
import { entityNamed } from '../server/src/entities/engine/model/model.ts'
import type { RequestContext } from '../server/src/entities/engine/model/request-context.ts'
import { withReason } from '../server/src/entities/engine/save/cause.ts'
import { updateAudited } from '../server/src/entities/engine/save/write.ts'
import { changeRecord, updateEntity } from '../server/src/entities/engine/store.ts'
import { waitForFacts } from '../server/src/facts/catch-up.ts'
import { importReport } from '../server/src/integrations/player-report/import-report.ts'
import { sourcePath } from '../server/src/integrations/player-report/report-files.ts'
import { closeMonth, reopenMonth, trueUp } from '../server/src/money/close.ts'
import type { Services } from '../server/src/services.ts'
import { at } from './rows.ts'

const FACTS_WAIT_MS = 15_000

/** Books true-ups of everything that has changed in closed months. */
export async function followChanges(services: Services): Promise<void> {
  if (!(await waitForFacts(services, FACTS_WAIT_MS))) services.log.warn('true-ups of the demo miss late facts')
  await trueUp(services)
}

interface Line {
  readonly player: string
  readonly day: string
  readonly deposits_count: number
  readonly deposits: string
  readonly first_day: string
  readonly income: string
  readonly currency: string
}

/** What the advertiser reports of a day's income the second time, as a part of the first. */
const CORRECTIONS = [0.55, 1.35, 1.18, 0.8, 1.46, 0.72, 1.09]
const PARTNERS = 8
const LINES_EACH = 2
const REVERSED = 3

/**
 * An advertiser with many partners sends the month again: some income was more or less than it said, and some first deposits were charged back, so
 * that their players no longer qualify. `rank`: 0 for the advertiser with the most partners.
 */
export async function correctReport(
  services: Services,
  context: RequestContext,
  month: string,
  rank: number,
): Promise<void> {
  const { pool } = services.postgres
  const { rows: found } = await pool.query<{ id: number; title: string }>(
    `select a.id, a.title from ledger_entry e join advertiser a on a.id = e.advertiser_id
      where e.earned_month = $1 and e.kind = 'rs' group by a.id, a.title order by count(distinct e.partner_id) desc, a.id offset $2 limit 1`,
    [month, rank],
  )
  const [advertiser] = found
  if (advertiser === undefined) return
  const corrected = (await readIncomes(services, month, advertiser.id)).map((line, index) => ({
    ...line,
    income: (Number(line.income) * at(CORRECTIONS, index % CORRECTIONS.length)).toFixed(2),
  }))
  const reversed = (await readSingleDeposits(services, month, advertiser.id)).map((line) => ({
    ...line,
    deposits_count: 0,
    deposits: '0',
    first_day: '0',
    income: '0',
  }))
  await importLines(services, context, advertiser, month, [...reversed, ...corrected])
}

const LINE = `p.outer_id as player, r.report_date::text as day, r.deposits_count, r.deposits::text, r.first_day_amount::text as first_day,
  r.income::text, c.value as currency`

/** Days of revenue share with the most income of some partners. */
async function readIncomes({ postgres }: Services, month: string, advertiser: number): Promise<Line[]> {
  const { rows } = await postgres.pool.query<Line>(
    `select player, day, deposits_count, deposits, first_day, income, currency from (
      select ${LINE}, row_number() over (partition by e.partner_id order by r.income desc, p.id, r.report_date) as n,
        dense_rank() over (order by e.partner_id) as partner
      from ledger_entry e join ledger_item i on i.ledger_entry_id = e.id
        join player p on p.offer_partner_id = e.offer_partner_id
        join player_report r on r.player_id = p.id and r.report_date = i.day join currency c on c.id = r.currency_id
      where e.kind = 'rs' and e.earned_month = $1 and e.advertiser_id = $2 and e.currency_id = r.currency_id and r.income > 20
        and not exists (select from ledger_item q where q.player_id = p.id)
    ) as line where n <= $3 and partner <= $4 order by partner, n`,
    [month, advertiser, LINES_EACH, PARTNERS],
  )
  return rows
}

/** The only deposits of players who are paid for, one of each partner. */
async function readSingleDeposits({ postgres }: Services, month: string, advertiser: number): Promise<Line[]> {
  const { rows } = await postgres.pool.query<Line>(
    `select player, day, deposits_count, deposits, first_day, income, currency from (
      select distinct on (e.partner_id) e.partner_id, ${LINE}
      from ledger_entry e join ledger_item i on i.ledger_entry_id = e.id join player p on p.id = i.player_id
        join player_report r on r.player_id = p.id and r.deposits > 0 join currency c on c.id = r.currency_id
      where e.kind = 'cpa' and e.earned_month = $1 and e.advertiser_id = $2 and i.quantity = 1
        and not exists (select from player_report o where o.player_id = p.id and o.id <> r.id and o.deposits > 0)
      order by e.partner_id, p.id
    ) as line order by partner_id limit $3`,
    [month, advertiser, REVERSED],
  )
  return rows
}

const HEADINGS = 'player id,date,deposits count,deposits,first day amount,income,currency'

async function importLines(
  services: Services,
  context: RequestContext,
  { id: advertiser, title }: { readonly id: number; readonly title: string },
  month: string,
  lines: readonly Line[],
): Promise<void> {
  const texts = lines.map(({ player, day, deposits_count, deposits, first_day, income, currency }) =>
    [player, day, deposits_count, deposits, first_day, income, currency].join(','),
  )
  const name = `${title.toLowerCase().replaceAll(' ', '-')}-${month}-corrected.csv`
  const { pool } = services.postgres
  const { rows } = await pool.query<{ id: number }>(
    `insert into report (type, file_name, advertiser_id, requested_by_id, language, status)
      values ('file', $1, $2, $3, 'en', 'cancelled') returning id`,
    [name, advertiser, context.userId],
  )
  const { id } = at(rows, 0)
  const path = sourcePath(services.config, id)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await writeFile(path, `${[HEADINGS, ...texts].join('\r\n')}\r\n`, { mode: 0o600 })
  await pool.query(`update report set status = 'waiting' where id = $1`, [id])
  await importReport(services, id, new AbortController().signal)
}

const REASONS = [
  'The advertiser found a second account of the same person',
  'The deposit was made with a stolen card',
  'The player had excluded himself at a sister brand',
]

/** Staff no longer pay for some players of the month, each of another partner. */
export async function rejectPlayers(context: RequestContext, month: string): Promise<void> {
  const { rows } = await context.engines.postgres.pool.query<{ id: number }>(
    `select id from (
      select distinct on (e.partner_id) e.partner_id, p.id from ledger_entry e join ledger_item i on i.ledger_entry_id = e.id
        join player p on p.id = i.player_id
      where e.kind = 'cpa' and e.earned_month = $1 and i.quantity = 1 and p.payment_resolution = 'approved'
      order by e.partner_id, p.id desc
    ) as one order by partner_id offset 1 limit $2`,
    [month, REASONS.length],
  )
  const request = { ...context, requestId: `demo: players of ${month}` }
  for (const [index, { id }] of rows.entries())
    await changeRecord(request, withReason('payment resolution', at(REASONS, index)), (db) =>
      updateAudited(db, request, entityNamed('player'), id, { payment_resolution: 'not_approved' }),
    )
}

const SPENDS = 2

/** A partner's invoices show that its spend was higher: the month is reopened for that partner, corrected, and closed again. */
export async function correctSpend(context: RequestContext, month: string): Promise<void> {
  const { rows } = await context.engines.postgres.pool.query<{
    id: number
    sum: string
    partner: number
    close: number
    version: number
  }>(
    `select s.id, s.sum::numeric(18, 2)::text as sum, t.partner_id as partner, c.period_close_id as close, s.version from partner_spend s
      join partner_stream t on t.id = s.stream_id
      join period_close_partner c on c.partner_id = t.partner_id and c.month = $1 and c.reopened_at is null
      join advertiser_country ac on ac.country_id = s.country_id join offer o on o.advertiser_country_id = ac.id
      join offer_partner l on l.offer_id = o.id and l.stream_id = s.stream_id and l.site_id = s.site_id
      join ledger_entry e on e.offer_partner_id = l.id and e.kind = 'agency' and e.earned_month = $1
      join ledger_item i on i.ledger_entry_id = e.id and i.day = s.date
    where s.source = 'manual' and s.active and s.claim_sum is null and s.date >= $2::date and s.date < $3::date
    order by max(s.sum) over (partition by t.partner_id) desc, t.partner_id, s.sum desc, s.id limit $4`,
    [month, `${month}-01`, `${monthAfter(month)}-01`, SPENDS],
  )
  const [first] = rows
  if (first === undefined) return
  await reopenMonth(context, first.close, {
    reason: 'The invoices of the ad network show more spend than was entered',
    partner: first.partner,
  })
  const spend = entityNamed('partner_spend')
  const request = { ...context, requestId: `demo: spend of ${month}` }
  for (const { id, sum, version } of rows.filter(({ partner }) => partner === first.partner))
    await updateEntity(request, spend, id, { sum: (Number(sum) * 1.15 + 3.4).toFixed(2), version }, { detailed: false })
  await closeMonth(context, { month, group: null })
}
