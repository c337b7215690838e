// Maps the fields of clicks to ClickHouse columns, in which 0, '' and the zero UUID mean null.

import type { Language } from '@tributary/contract/language'
import type { ListQuery } from '@tributary/contract/list-query'
import { buildTrackingLink } from '@tributary/contract/macros'
import { formatDay } from '@tributary/contract/period'
import { say } from '@tributary/contract/words/messages'
import { sql } from 'kysely'
import { CLICKS_KEPT_FROM_SQL } from '../../facts/clicks/deleted-clicks.ts'
import { type ClickhouseSource, clickTimeOf, type SourceColumn } from '../engine/clickhouse/source.ts'
import type { Row } from '../engine/model/model.ts'
import type { Db } from '../engine/model/request-context.ts'

const reference = (name: string): SourceColumn => ({ sql: `${name}_id`, type: 'UInt32' })
const text = (name: string): SourceColumn => ({ sql: name, type: 'String' })

export const clickSource: ClickhouseSource = {
  table: 'click',
  key: ['created_at', 'id'],
  day: 'day',
  timeOf: clickTimeOf,
  columns: {
    id: { sql: 'id', type: 'UUID' },
    offer: reference('offer'),
    partner: reference('partner'),
    advertiser: reference('advertiser'),
    landing: reference('landing'),
    stream: reference('stream'),
    traffic_source: reference('traffic_source'),
    offer_partner: reference('offer_partner'),
    country: reference('country'),
    site_id: text('site_id'),
    sub_id: text('sub_id'),
    sub2: text('sub2'),
    sub3: text('sub3'),
    sub4: text('sub4'),
    sub5: text('sub5'),
    partner_click_id: text('partner_click_id'),
    canonical_id: { sql: 'canonical_id', type: 'UUID' },
    // Clicks of bots are neither unique nor duplicate.
    uniqueness: {
      sql: "multiIf(is_unique = 1, 'unique', is_click = 1, 'duplicate', '')",
      type: 'String',
      choices: { unique: 'is_unique = 1', duplicate: 'is_click = 1 and is_unique = 0' },
    },
    bot: { sql: 'bot', type: 'UInt8' },
    ip: text('ip'),
    ip_country: text('ip_country'),
    user_agent: text('user_agent'),
    referrer: text('referrer'),
    language: text('language'),
    created_at: { sql: 'created_at', type: 'DateTime64' },
  },
  extra: ['url', 'target'],
  notesOf: tellDeleted,
  async derive(db, rows, extra, { engines, holder }) {
    const [domains, uuids] = await Promise.all([readDomains(db, rows), readUuids(db, rows)])
    for (const [index, row] of rows.entries()) {
      const [path, target] = extra[index] ?? []
      const partner = buildPartnerUrl(
        typeof path === 'string' ? path : '',
        domains.get(row.country),
        engines.config.trackerUrl,
      )
      row.ad_platform = adPlatformOf(typeof path === 'string' ? path : '')
      row.offer_partner_uuid = uuids.get(row.offer_partner) ?? null
      row.links = { partner, ...(holder.role !== 'PARTNER' && { advertiser: target || null }) }
    }
  },
}

/** Says that clicks of the list's period were deleted. */
async function tellDeleted(db: Db, { conditions }: ListQuery, language: Language): Promise<readonly string[]> {
  const { rows } = await sql<{ day: string | null }>`select ${sql.raw(CLICKS_KEPT_FROM_SQL)} as day`.execute(db)
  const day = rows[0]?.day ?? null
  const begins = conditions.flatMap(({ path, operator, values: [first = ''] }) =>
    path === 'created_at' && operator === 'bwn' && first !== '' ? [first.slice(0, 10)] : [],
  )
  if (day === null || begins.some((begin) => begin >= day)) return []
  return [say(language, 'clicks_deleted', { day: formatDay(day) })]
}

/** Query parameters that advertising platforms add to URLs. */
const PLATFORMS: Readonly<Record<string, string>> = {
  gclid: 'Google Ads',
  gbraid: 'Google Ads',
  wbraid: 'Google Ads',
  fbclid: 'Meta',
  ttclid: 'TikTok',
  sccid: 'Snapchat',
  msclkid: 'Microsoft Advertising',
  yclid: 'Yandex Direct',
}

function adPlatformOf(path: string): string | null {
  for (const [, name = ''] of path.matchAll(/[?&]([a-z]+)=[^&]/gi)) {
    const platform = PLATFORMS[name.toLowerCase()]
    if (platform !== undefined) return platform
  }
  return null
}

const idsIn = (rows: readonly Row[], name: string): unknown[] => [
  ...new Set(rows.map((row) => row[name]).filter((id) => id != null)),
]

async function readUuids(db: Db, rows: readonly Row[]): Promise<Map<unknown, string>> {
  const ids = idsIn(rows, 'offer_partner')
  const statement = sql<{
    id: number
    uuid: string
  }>`select id, uuid from offer_partner where id = any(${ids}::bigint[])`
  return new Map((await statement.execute(db)).rows.map((row) => [row.id, row.uuid]))
}

async function readDomains(db: Db, rows: readonly Row[]): Promise<Map<unknown, string>> {
  const ids = idsIn(rows, 'country')
  const statement = sql<{ id: number; domain: string }>`select id, partner_links_domain as domain from country
    where partner_links_domain is not null and id = any(${ids}::bigint[])`
  return new Map((await statement.execute(db)).rows.map((row) => [row.id, row.domain]))
}

/** Rebuilds the URL of a click from its stored path and query. */
function buildPartnerUrl(path: string, domain: string | undefined, trackerUrl: string): string | null {
  if (path === '') return null
  return buildTrackingLink({ uuid: '', domain, trackerUrl }).slice(0, -'/c/'.length) + path
}
