// Entity: a source of player figures, an uploaded file or an answer of the players API. It is stored with its log; both can be downloaded.
import { ADMIN_ONLY, NOBODY } from '../access.ts'
import { defineEntity } from '../entity.ts'
import { MEGABYTE } from '../limits.ts'

export const REPORT_TYPES = ['file', 'api'] as const
export const REPORT_STATUSES = ['waiting', 'processing', 'success', 'warnings', 'failed', 'cancelled'] as const

/** Files accepted as a player report. */
export const IMPORT_RULE = { maxBytes: 100 * MEGABYTE, extensions: ['xls', 'xlsx', 'csv'] } as const

export const report = defineEntity({
  name: 'report',
  route: null,
  shownAt: '/players-reports?import=',
  access: { view: ADMIN_ONLY, lookup: ADMIN_ONLY, create: NOBODY, edit: NOBODY, remove: ADMIN_ONLY },
  scope: { by: 'everyone' },
  title: 'file_name',
  fields: {
    type: { kind: 'choice', options: REPORT_TYPES, readOnly: true },
    file_name: { kind: 'text', readOnly: true, searched: true },
    status: { kind: 'choice', options: REPORT_STATUSES, readOnly: true },
    period_from: { kind: 'date', readOnly: true },
    period_to: { kind: 'date', readOnly: true },
    advertiser: { kind: 'reference', to: 'advertiser', readOnly: true },
    update_registrations: { kind: 'boolean', readOnly: true },
    rows: { kind: 'integer', readOnly: true },
    /** Number of lines in the log. */
    warnings: { kind: 'integer', readOnly: true },
    players_added: { kind: 'integer', readOnly: true },
    entries_added: { kind: 'integer', readOnly: true },
    entries_changed: { kind: 'integer', readOnly: true },
    error: { kind: 'text', format: 'long', readOnly: true },
    /** Percentage of the file that has been read. */
    progress: { kind: 'integer', readOnly: true, unfiltered: true },
    requested_by: { kind: 'reference', to: 'user', orSystem: true, readOnly: true },
    finished_at: { kind: 'datetime', readOnly: true },
  },
  unique: [],
  hasActive: false,
  list: {
    columns: [
      'created_at',
      'type',
      'file_name',
      'status',
      'period_from',
      'period_to',
      'rows',
      'warnings',
      'players_added',
      'entries_added',
      'entries_changed',
      'requested_by',
    ],
    filters: ['created_at', 'type', 'status', 'requested_by', 'advertiser'],
    sort: { by: 'created_at', desc: true },
  },
  form: [],
})
