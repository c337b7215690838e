// A click as it is recorded: what the inbox holds of it, its writer apart.

export interface ClickRow {
  /** UUIDv7; the click ID. */
  id: string
  /** Milliseconds; the time in the id. */
  created_at: number
  offer_partner_id: number
  offer_id: number
  partner_id: number
  advertiser_id: number
  landing_id: number | null
  stream_id: number
  traffic_source_id: number
  /** The offer's country. */
  country_id: number
  bot: boolean
  /** The first click of this visitor; null = this one is unique, or a bot's. */
  canonical_id: string | null
  site_id: string
  sub_id: string | null
  sub2: string | null
  sub3: string | null
  sub4: string | null
  sub5: string | null
  partner_click_id: string | null
  promocode: string | null
  media_id: string | null
  ip: string
  ip_country: string | null
  user_agent: string | null
  referrer: string | null
  language: string | null
  /** Path and query as they came. */
  url: string
  /** Where the visitor was sent. */
  target: string
}
