// Entity: a request to the players API for one advertiser and day. Creating a row sends the request; the row then holds the result.
import { ADMIN_ONLY, writtenBy } from '../access.ts'
import { defineEntity } from '../entity.ts'

export const API_REPORT_STATUSES = ['waiting', 'processing', 'success', 'warnings', 'failed'] as const

export const playersReportApi = defineEntity({
  name: 'players_report_api',
  route: '/players-reports-api',
  access: { view: ADMIN_ONLY, lookup: ADMIN_ONLY, ...writtenBy(ADMIN_ONLY) },
  scope: { by: 'everyone' },
  title: 'report_date',
  fields: {
    report_date: { kind: 'date', required: true, fixed: true },
    advertiser: { kind: 'reference', to: 'advertiser', required: true, fixed: true },
    /** If empty, the site IDs of all partner offers of the advertiser. */
    requested_site_ids: { kind: 'texts' },
    status: { kind: 'choice', options: API_REPORT_STATUSES, readOnly: true },
    warnings: { kind: 'texts', readOnly: true, unfiltered: true },
    /** Truncated above a size; the report's file has the complete response. */
    original_response: { kind: 'json', readOnly: true, unfiltered: true },
    report: { kind: 'reference', to: 'report', readOnly: true },
  },
  warningsIn: 'report',
  unique: [['report_date', 'advertiser']],
  hasActive: false,
  list: {
    columns: ['report_date', 'advertiser', 'status', 'warnings', 'requested_site_ids', 'report', 'updated_at'],
    filters: ['report_date', 'advertiser', 'status', 'requested_site_ids'],
    sort: { by: 'report_date', desc: true },
  },
  form: [
    {
      name: 'main',
      fields: ['report_date', 'advertiser', 'requested_site_ids', 'status', 'report', 'warnings', 'original_response'],
    },
  ],
})
