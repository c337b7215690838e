// What the product has answered: the record, the facts, the reports, the statements and the partners must agree with it after each round.

import type { Client } from 'pg'
import type { CrmServer } from '../../../demo/crm-server.ts'
import type { GoogleSheetsServer, Spreadsheet } from '../../../demo/google-sheets-server.ts'
import { makeNetwork } from '../support/tracker-network.ts'
import type { PartnerHost } from './partners.ts'

/** Ids of what `fillNetwork` adds: their order in its statements decides them. */
export const SHARES = { offer: 3, partner: 3, site: 'share-site', percent: 25 } as const
export const AGENCY = { offer: 4, stream: 4, currency: 1, country: 1 } as const
export const MANUAL_STREAM = 5
/** No other month has spends of the sheet. */
export const SHEET_MONTH = '2026-02'
export const SHEET_DAYS = 8
export const SHEET_FILE = 'the-sheet-of-the-faults'
export const FIRST_SPEND_DAY = '2018-01-01'
/** The first month that is closed; later ones follow in their order. */
const FIRST_MONTH = { year: 2022, month: 1 }
export const monthOf = (index: number): string => {
  const months = FIRST_MONTH.month - 1 + index
  return `${FIRST_MONTH.year + Math.floor(months / 12)}-${String((months % 12) + 1).padStart(2, '0')}`
}

export interface ImportedFile {
  readonly name: string
  readonly month: string
  readonly rows: number
  readonly deposits: number
  readonly income: number
  /** How often it was sent. */
  sent: number
  /** The product answered that it has the file. */
  answered: boolean
}

export interface PaidMonth {
  readonly month: string
  readonly income: number
  /** The close was answered. */
  closed: boolean
  statement: number | undefined
  /** What the payments that were answered add up to. */
  paid: number
  invoice: number | undefined
}

export interface Model {
  readonly files: ImportedFile[]
  /** Entered spends that were answered, by key of the request. */
  readonly spends: Map<string, number>
  readonly months: PaidMonth[]
  /** Sums of the sheet's days that a parse was answered for; undefined before the first. */
  sheet: { readonly sum: number } | undefined
  readonly partner: PartnerHost
  readonly crm: CrmServer
  readonly google: GoogleSheetsServer
  served: Spreadsheet | undefined
  /** Back-ups that were answered as made. */
  backups: number
  /** Clicks that were answered by now. */
  confirmed: () => readonly string[]
  /** Clicks that were answered before the last of them was requested. */
  confirmedBeforeBackup: readonly string[]
}

/** A spend needs activity of its stream on its day. */
const PLAYERS = `
  insert into player (offer_partner_id, offer_id, partner_id, advertiser_id, stream_id, traffic_source_id, site_id, outer_id, registered_at, attribution)
  select l.id, l.offer_id, l.partner_id, o.advertiser_id, l.stream_id, l.traffic_source_id, l.site_id, 'of-' || l.id || '-' || day, day + interval '12 hours',
    'click'
  from offer_partner l join offer o on o.id = l.offer_id, generate_series($2::timestamptz, $3, interval '1 day') day where l.id = $1`

export async function fillNetwork(record: Client, partner: PartnerHost): Promise<void> {
  await makeNetwork(record)
  await record.query(`
    update setting set report_currency_id = 1, statement_approval = 'never', backup_days = 3650;
    update advertiser set default_crm_project_id = 'project-1';
    insert into offer (title, advertiser_id, advertiser_country_id, payment_model_id, currency_id, rs_share, state) values
      ('Ukraine shares', 1, 1, 2, 1, ${SHARES.percent}, 'approved'), ('Ukraine agency', 1, 1, 4, 1, null, 'approved');
    insert into partner (title, state) values ('Gamma', 'approved');
    insert into partner_stream (partner_id, title) values (3, 'shares'), (3, 'ads'), (3, 'by hand');
    insert into offer_partner (uuid, offer_id, partner_id, stream_id, traffic_source_id, site_id, promo_codes, currency_id, state) values
      ('0b0e0b0e-0000-4000-8000-000000000004', 3, 3, 3, 1, '${SHARES.site}', '{}', 1, 'approved'),
      ('0b0e0b0e-0000-4000-8000-000000000005', 4, 3, 4, 1, 'agency-site', '{}', 1, 'approved'),
      ('0b0e0b0e-0000-4000-8000-000000000006', 4, 3, 5, 1, 'hand-site', '{}', 1, 'approved');
    delete from offer_payment_model_history;
    insert into partner_group (title) values ('Everyone');
    insert into partner_partner_group (partner_id, partner_group_id, spend_spreadsheet_id) values (3, 1, '${SHEET_FILE}');
    insert into sheet_run (kind, due_at, files) values ('daily', '2998-01-01', 0), ('monthly', '2998-01-01', 0)`)
  await record.query(PLAYERS, [5, `${SHEET_MONTH}-01`, `${SHEET_MONTH}-${SHEET_DAYS}`])
  await record.query(PLAYERS, [6, FIRST_SPEND_DAY, '2021-12-31'])
  await record.query('insert into partner_postback_url (partner_id, url) values (1, $1)', [partner.url])
}
