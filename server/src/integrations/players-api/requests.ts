// Requests to the players API: one row per advertiser and day, repeated as often as a user asks.

import { type Kysely, sql } from 'kysely'
import { invalidField } from '../../lib/app-error.ts'
import type { Database } from '../../postgres/client.ts'
import { type IntegrationStore, readIntegration } from '../integration.ts'

/** Advertisers with partner offers that could bring players. Throws `invalid` if the service is not set up. */
export async function requestDay(
  store: IntegrationStore,
  db: Kysely<Database>,
  date: string,
  advertiserId: number | null,
): Promise<number[]> {
  const { baseUrl } = await readIntegration(store, 'players_api')
  if (baseUrl === null) throw invalidField('players_api', 'integration_absent')
  const { rows } = await sql<{ id: number }>`insert into players_report_api (report_date, advertiser_id)
      select ${date}::date, a.id from advertiser a
      where (${advertiserId}::int is null and a.active and exists (
          select from offer_partner l join offer o on o.id = l.offer_id where o.advertiser_id = a.id and l.active))
        or a.id = ${advertiserId}::int
      order by a.id
      on conflict (report_date, advertiser_id) do update set
        status = case when players_report_api.status = 'processing' then 'processing' else 'waiting' end
      returning id`.execute(db)
  return rows.map((row) => row.id)
}

export interface WaitingDay {
  readonly id: number
  readonly date: string
  readonly advertiserId: number
  /** The advertiser's name at the service. */
  readonly advertiser: string
  readonly siteIds: readonly string[]
}

/** Ids of waiting requests and of those that a stopped server left unfinished. A lock shows whether a server handles one. */
export async function findWaiting(store: Pick<IntegrationStore, 'postgres'>): Promise<number[]> {
  const { rows } = await store.postgres.pool.query<{ id: number }>(
    "select id from players_report_api where status in ('waiting', 'processing') order by report_date, id",
  )
  return rows.map((row) => row.id)
}

const SITES = `select distinct l.site_id from offer_partner l join offer o on o.id = l.offer_id
  where o.advertiser_id = r.advertiser_id and l.active order by l.site_id`

/** Undefined if it has been finished meanwhile. */
export async function beginDay(
  { postgres }: Pick<IntegrationStore, 'postgres'>,
  id: number,
): Promise<WaitingDay | undefined> {
  const { rows } = await postgres.pool.query<{
    id: number
    date: string
    advertiser_id: number
    advertiser: string
    site_ids: string[]
  }>(
    `update players_report_api r set status = 'processing' from advertiser a
      where r.id = $1 and r.status in ('waiting', 'processing') and a.id = r.advertiser_id
      returning r.id, r.report_date as date, r.advertiser_id, coalesce(a.crm_id, a.title) as advertiser,
        case when r.requested_site_ids = '{}' then array(${SITES}) else r.requested_site_ids end as site_ids`,
    [id],
  )
  const row = rows[0]
  return (
    row && {
      id: row.id,
      date: row.date,
      advertiserId: row.advertiser_id,
      advertiser: row.advertiser,
      siteIds: row.site_ids,
    }
  )
}

export interface DayOutcome {
  readonly status: 'success' | 'warnings' | 'failed'
  readonly warnings: readonly string[]
  readonly original: unknown
  readonly reportId: number | null
}

export async function finishDay(
  { postgres }: Pick<IntegrationStore, 'postgres'>,
  id: number,
  { status, warnings, original, reportId }: DayOutcome,
): Promise<void> {
  await postgres.pool.query(
    'update players_report_api set status = $2, warnings = $3, original_response = $4, report_id = coalesce($5, report_id) where id = $1',
    [id, status, warnings, original === undefined ? null : JSON.stringify(original), reportId],
  )
}
