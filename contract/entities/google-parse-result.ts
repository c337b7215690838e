// Entity: the result of parsing a partner's spend sheet for one month: number of accepted rows, and warnings.
import { leadersOr, NOBODY, writtenBy } from '../access.ts'
import { defineEntity } from '../entity.ts'

export const PARSE_STATUSES = ['success', 'warnings'] as const

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
    /** First day of the month. */
    spend_month: { kind: 'date', readOnly: true },
    parsed_at: { kind: 'datetime', readOnly: true },
    status: { kind: 'choice', options: PARSE_STATUSES, readOnly: true },
    rows_taken: { kind: 'integer', readOnly: true },
    /** [{row, column, message}] */
    warnings: { kind: 'json', readOnly: true },
  },
  unique: [],
  hasActive: false,
  isLog: true,
  list: {
    columns: ['parsed_at', 'partner', 'partner_group', 'spend_month', 'status', 'rows_taken', 'file_id'],
    filters: ['parsed_at', 'partner', 'partner_group', 'spend_month', 'status', 'file_id'],
    sort: { by: 'parsed_at', desc: true },
  },
  form: [],
})
