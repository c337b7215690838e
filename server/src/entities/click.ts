// Clicks in ClickHouse: what stands behind their fields. 0, '' and the zero UUID mean nothing.

import { clickTime } from './click-time.ts'
import type { ClickhouseSource, SourceColumn } from './clickhouse-source.ts'

const reference = (name: string): SourceColumn => ({ sql: `${name}_id`, type: 'UInt32' })
const text = (name: string): SourceColumn => ({ sql: name, type: 'String' })

export const clickSource: ClickhouseSource = {
  table: 'click',
  key: ['created_at', 'id'],
  timeOf: clickTime,
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
    // A bot's click is neither.
    uniqueness: { sql: "multiIf(is_unique = 1, 'unique', is_click = 1, 'duplicate', '')", type: 'String' },
    bot: { sql: 'bot', type: 'Bool' },
    ip: text('ip'),
    ip_country: text('ip_country'),
    user_agent: text('user_agent'),
    referrer: text('referrer'),
    created_at: { sql: 'created_at', type: 'DateTime64' },
  },
  extra: ['url', 'target'],
  derive(row, [partner, advertiser], role) {
    row.links = { partner: partner || null, ...(role !== 'PARTNER' && { advertiser: advertiser || null }) }
  },
}
