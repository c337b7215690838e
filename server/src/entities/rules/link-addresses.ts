// Derives the URLs of a partner offer: the tracking link for the partner, and the advertiser link to which it redirects.

import { setImmediate } from 'node:timers/promises'
import { buildAdvertiserLink, buildTrackingLink } from '@tributary/contract/macros'
import { sql } from 'kysely'
import type { Row } from '../engine/model/model.ts'
import type { Db, RequestContext } from '../engine/model/request-context.ts'
import { runPrepared } from '../engine/read/run-statement.ts'

/** Rows handled before the event loop handles other requests. */
const ROWS_AT_ONCE = 500

/** What the two links of a partner offer are built from. */
interface LinkParts {
  id: number
  uuid: string
  partner_domain: string | null
  advertiser_domain: string
  landing: string | null
  override: string | null
  site_id: string
  sub_id: string | null
  promocode: string | null
  media_id: string | null
  stream: string
}

/** Selects the landing of a click that names none: the partner offer's first, else the country's default, else the advertiser's. */
const readParts = (
  ids: readonly unknown[],
) => sql<LinkParts>`select l.id, l.uuid, c.partner_links_domain as partner_domain,
    coalesce(case when p.active then p.domain end, a.default_domain) as advertiser_domain, l.advertiser_link_template as override,
    l.site_id, l.sub_id, l.promo_codes[1] as promocode, coalesce(p.media_id, a.media_id) as media_id, s.title as stream,
    coalesce(
      (select g.value from offer_partner_landing as j join landing as g on g.id = j.landing_id
        where j.offer_partner_id = l.id and g.active order by g.id limit 1),
      (select g.value from default_landing as d join landing as g on g.id = d.landing_id
        where d.advertiser_id = a.id and d.active and g.active and (d.country_id = p.country_id or d.country_id is null)
        order by d.country_id nulls last limit 1)
    ) as landing
  from offer_partner as l join offer as o on o.id = l.offer_id join advertiser as a on a.id = o.advertiser_id
    join advertiser_country as p on p.id = o.advertiser_country_id join country as c on c.id = p.country_id
    join partner_stream as s on s.id = l.stream_id
  where l.id = any(${ids}::bigint[])`

/** Adds `partner_link` and `advertiser_link` to rows that have the id of a partner offer. */
export async function addLinkUrls(db: Db, rows: readonly Row[], context: RequestContext): Promise<void> {
  const { trackerUrl } = context.engines.config
  const found = await runPrepared(db, context, readParts(rows.map((row) => row.id)))
  const parts = new Map<unknown, LinkParts>(found.map((part) => [part.id, part]))
  for (const [index, row] of rows.entries()) {
    // Without a pause, the largest page would block the event loop.
    if (index % ROWS_AT_ONCE === ROWS_AT_ONCE - 1) await setImmediate()
    const part = parts.get(row.id)
    if (part === undefined) continue
    row.partner_link = buildTrackingLink({ uuid: part.uuid, domain: part.partner_domain, trackerUrl })
    row.advertiser_link = buildAdvertiserLink(
      { domain: part.advertiser_domain, landing: part.landing, override: part.override },
      {
        siteId: part.site_id,
        subId: part.sub_id,
        promocode: part.promocode,
        mediaId: part.media_id,
        stream: part.stream,
      },
    )
  }
}
