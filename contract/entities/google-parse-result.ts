// Entity: the result of parsing a partner's spend sheet for one month: number of accepted rows, and warnings.
import { leadersOr, NOBODY, writtenBy } from '../access.ts'
import { defineEntity } from '../entity.ts'

export const PARSE_STATUSES = ['success', 'warnings'] as const
/** By the clock, or by hand. */
export const PARSE_TRIGGERS = ['daily', 'monthly', 'manual'] as const

export const googleParseResult = defineEntity({
  name: 'google_parse_result',
  route: '/spends-parsing-logs',
  access: { view: leadersOr('partners_spend_view'), lookup: NOBODY, ...writtenBy(NOBODY) },
  scope: { by: 'partner', column: 'partner_id' },
  title: 'file_id',
  fields: {
    partner: { kind: 'reference', to: 'partner', readOnly: true },
    partner_group: { kind: 'reference', to: 'partner_group', readOnly: true, hiddenFrom: ['PARTNER'] },
    file_id: { kind: 'text', readOnly: true, searched: true },
    file_title: { kind: 'text', readOnly: true },
    /** The page of the file; warnings lead to its cells. */
    file_url: { kind: 'text', readOnly: true, unfiltered: true },
    /** First day of the month. */
    spend_month: { kind: 'date', isMonth: true, readOnly: true },
    parsed_at: { kind: 'datetime', readOnly: true },
    status: { kind: 'choice', options: PARSE_STATUSES, readOnly: true },
    trigger: { kind: 'choice', options: PARSE_TRIGGERS, readOnly: true },
    started_by: { kind: 'reference', to: 'user', orSystem: true, readOnly: true, hiddenFrom: ['PARTNER'] },
    duration_ms: { kind: 'integer', readOnly: true },
    /** Reads of the API. */
    calls: { kind: 'integer', readOnly: true },
    /** Spends that come from the tab now: changed and unchanged. */
    rows_taken: { kind: 'integer', readOnly: true },
    rows_changed: { kind: 'integer', readOnly: true },
    rows_removed: { kind: 'integer', readOnly: true },
    rows_unchanged: { kind: 'integer', readOnly: true },
    /** The number of `warnings`. */
    warnings_count: { kind: 'integer', readOnly: true },
    /** [{tab, gid, cell, key, values, message, remedy}] */
    warnings: { kind: 'json', readOnly: true },
    /** Columns that are left out by the mapping of the sheet: [{tab, cell, heading}]. */
    ignored_columns: { kind: 'json', readOnly: true },
  },
  unique: [],
  hasActive: false,
  isLog: true,
  list: {
    columns: [
      'parsed_at',
      'status',
      'partner',
      'spend_month',
      'warnings_count',
      'rows_taken',
      'rows_changed',
      'rows_removed',
      'rows_unchanged',
      'partner_group',
      'trigger',
      'started_by',
      'duration_ms',
      'calls',
      'file_title',
      'file_id',
    ],
    filters: ['parsed_at', 'partner', 'partner_group', 'spend_month', 'status', 'trigger', 'started_by', 'file_id'],
    sort: { by: 'parsed_at', desc: true },
  },
  form: [],
})
