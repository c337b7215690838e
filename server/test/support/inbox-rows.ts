// Rows of the inbox without requests: fields, and the line that the tracker would write.

const TEXTS = [
  'site_id',
  'sub_id',
  'sub2',
  'sub3',
  'sub4',
  'sub5',
  'partner_click_id',
  'promocode',
  'media_id',
  'ip',
  'ip_country',
  'user_agent',
  'referrer',
  'language',
  'url',
  'target',
]

/** Has one parameter: a JSON array of objects with the fields of click_inbox_row. */
export const INSERT_INBOX = `insert into click_inbox (id, writer, created_at, line)
  select id, writer, created_at, click_line(offer_partner_id, offer_id, partner_id, advertiser_id, stream_id, traffic_source_id,
    country_id, landing_id, bot, canonical_id, ${TEXTS.join(', ')})
  from jsonb_populate_recordset(null::click_inbox_row, $1)`
