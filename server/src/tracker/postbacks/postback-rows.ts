// The rows that a postback writes. Their keys are the column names of the tables.

import type { PostbackReason } from '@tributary/contract/entities/postback'
import type { AttributedFields } from './attribution.ts'

/** Times are ISO 8601. */
export interface PostbackRow {
  id: number
  created_at: string
  direction: 'in' | 'out'
  parent_id: number | null
  status: 'accepted' | 'duplicate' | 'refused' | 'pending' | 'sent' | 'failed' | 'skipped'
  reason: PostbackReason | null
  event_type: string | null
  event_value: string | null
  error: string | null
  click_id: string | null
  player_id: number | null
  player_outer_id: string | null
  deposit_sum: string | null
  currency: string | null
  offer_partner_id: number | null
  offer_id: number | null
  partner_id: number | null
  advertiser_id: number | null
  traffic_source_id: number | null
  landing_id: number | null
  site_id: string | null
  country: string | null
  actual_country: string | null
  sender_ip: string | null
  uuid: string | null
  url: string | null
  params: Readonly<Record<string, string>> | null
  partner_postback_url: string | null
  partner_postback_url_id: number | null
  method: string
  response_code: number | null
  response: string | null
  attempts: number
  next_attempt_at: string | null
}

/** The columns of `player` that postbacks write. They must not write any others. */
export interface PlayerState extends AttributedFields {
  id: number
  outer_id: string
  advertiser_id: number
  registered_at: string | null
  first_deposit_at: string | null
  first_deposit_amount: string | null
  first_deposit_currency_id: number | null
  actual_country_id: number | null
  geo_country: string | null
}

export const PLAYER_COLUMNS = [
  'id',
  'outer_id',
  'advertiser_id',
  'click_id',
  'registered_at',
  'first_deposit_at',
  'first_deposit_amount',
  'first_deposit_currency_id',
  'actual_country_id',
  'ip_country',
  'geo_country',
  'site_id',
  'sub_id',
  'sub2',
  'sub3',
  'sub4',
  'sub5',
  'partner_click_id',
  'promocode',
  'landing_id',
  'traffic_source_id',
  'stream_id',
  'partner_id',
  'media_id',
  'offer_id',
  'offer_partner_id',
  'attribution',
] as const satisfies readonly (keyof PlayerState)[]

export interface PlayerEventRow {
  player_id: number
  type: string
  happened_at: string
  received_at: string
  amount: string | null
  currency_id: number | null
  transaction_id: string | null
  identity: string
  postback_id: number
}

/** A row with defaults in all columns. */
export function blankRow(id: number, createdAt: string, method: string): PostbackRow {
  return {
    id,
    created_at: createdAt,
    direction: 'in',
    parent_id: null,
    status: 'accepted',
    reason: null,
    event_type: null,
    event_value: null,
    error: null,
    click_id: null,
    player_id: null,
    player_outer_id: null,
    deposit_sum: null,
    currency: null,
    offer_partner_id: null,
    offer_id: null,
    partner_id: null,
    advertiser_id: null,
    traffic_source_id: null,
    landing_id: null,
    site_id: null,
    country: null,
    actual_country: null,
    sender_ip: null,
    uuid: null,
    url: null,
    params: null,
    partner_postback_url: null,
    partner_postback_url_id: null,
    method,
    response_code: null,
    response: null,
    attempts: 0,
    next_attempt_at: null,
  }
}
