// A click as the tracker stores it, with nothing known of the visitor but an address.

import type { InboxClick } from '../../src/facts/columns.ts'

const EMPTY = {
  landing_id: null,
  bot: false,
  canonical_id: null,
  site_id: 'site',
  sub_id: null,
  sub2: null,
  sub3: null,
  sub4: null,
  sub5: null,
  partner_click_id: null,
  promocode: null,
  media_id: null,
  ip: '10.0.0.1',
  ip_country: null,
  user_agent: null,
  referrer: null,
  language: null,
  url: '/c/x',
  target: 'https://a.example/',
} as const satisfies Partial<InboxClick>

/** A click with these values; all others are empty. */
export const inboxClick = (values: Omit<InboxClick, keyof typeof EMPTY> & Partial<InboxClick>): InboxClick => ({
  ...EMPTY,
  ...values,
})
