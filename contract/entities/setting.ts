// Entity: settings of the installation, in a single row that installation creates and nobody deletes.
import { ADMIN_ONLY, NOBODY } from '../access.ts'
import { defineEntity } from '../entity.ts'

const STATEMENT_APPROVALS = ['auto', 'always', 'never'] as const

/** Id of the single row. */
export const SETTING_ID = 1

export const setting = defineEntity({
  name: 'setting',
  route: null,
  access: { view: ADMIN_ONLY, lookup: NOBODY, create: NOBODY, edit: ADMIN_ONLY, remove: NOBODY },
  scope: { by: 'everyone' },
  title: 'id',
  fields: {
    /** Always true. */
    active: { kind: 'boolean', readOnly: true },
    /** Time zone of the business days of reports, histories, spends and budgets. */
    business_time_zone: { kind: 'text', format: 'zone', required: true },
    /** Time zone of advertisers' files and the players API. */
    server_time_zone: { kind: 'text', format: 'zone', required: true },
    report_currency: { kind: 'reference', to: 'currency' },
    /** Hours within which a repeated click of a visitor is a duplicate. */
    uniqueness_hours: { kind: 'integer', min: 1, max: 720, required: true },
    /** Days for which IP addresses of visitors are kept whole. They are shortened month by month, once the whole month is older. */
    personal_data_days: { kind: 'integer', min: 1, max: 3650, required: true },
    /** Months for which what grows is kept, beside the present one; empty: for ever. */
    click_months: { kind: 'integer', min: 3, max: 1200 },
    postback_months: { kind: 'integer', min: 3, max: 1200 },
    attempt_months: { kind: 'integer', min: 1, max: 1200 },
    audit_months: { kind: 'integer', min: 12, max: 1200 },
    fact_log_months: { kind: 'integer', min: 3, max: 1200 },
    /** Time of day, UTC. */
    daily_spend_parsing_time: { kind: 'text', format: 'time', required: true },
    monthly_spend_parsing_time: { kind: 'text', format: 'time', required: true },
    /** Day of the month on which the previous month is parsed again; up to 28, so that every month has it. */
    monthly_spend_parsing_day: { kind: 'integer', min: 1, max: 28, required: true },
    /** Time of day at which the previous day is requested. */
    players_api_retrieval_time: { kind: 'text', format: 'time', required: true },
    /** Percentage added to entered spend of agency partner offers. */
    agency_spend_percentage: { kind: 'decimal', scale: 4, min: 0, max: 100, unit: 'percent', required: true },
    /** Number of days, including today, for which a partner may claim spend. */
    spend_claim_days: { kind: 'integer', min: 1, max: 366, required: true },
    /** A player is payable only once their payment resolution is approved. */
    pays_approved_only: { kind: 'boolean', required: true },
    /** Who issues and pays statements: a legal name and an address, for their PDF. */
    statement_issuer: { kind: 'text', format: 'long', max: 500 },
    /** Whether a statement is approved by someone else than made it. `auto`: once two people may approve. */
    statement_approval: { kind: 'choice', options: STATEMENT_APPROVALS, required: true },
    /** A prediction above the previous month's spend times this factor raises a warning. */
    spend_rise_factor: { kind: 'decimal', scale: 2, min: 1, max: 100, required: true },
    /** A budget that will be used up within this number of days raises a warning. */
    overlimit_days: { kind: 'integer', min: 1, max: 31, required: true },
    /** A prediction above the plan by more than this percentage raises a warning. */
    budget_deficit_percentage: { kind: 'decimal', scale: 2, min: 0, max: 1000, unit: 'percent', required: true },
    /** A day with activity that still lacks a spend after this number of days raises an alert. */
    missing_spend_days: { kind: 'integer', min: 1, max: 31, required: true },
    /** Time of day at which alerts are mailed, UTC. */
    alert_mail_time: { kind: 'text', format: 'time', required: true },
    /** While it is true, as in a restored copy, no postbacks, mails, invoices or scheduled back-ups are made. */
    sending_held: { kind: 'boolean' },
    /** Time of day of the daily back-up, UTC. It needs BACKUP_TARGET. */
    backup_time: { kind: 'text', format: 'time', required: true },
    /** Days for which back-ups are kept. */
    backup_days: { kind: 'integer', min: 1, max: 3650, required: true },
  },
  unique: [],
  hasActive: false,
  list: { columns: ['business_time_zone', 'report_currency'], filters: [] },
  form: [
    { name: 'main', fields: ['business_time_zone', 'server_time_zone', 'report_currency'] },
    { name: 'tracking', fields: ['uniqueness_hours'] },
    {
      name: 'spends',
      fields: [
        'daily_spend_parsing_time',
        'monthly_spend_parsing_time',
        'monthly_spend_parsing_day',
        'agency_spend_percentage',
        'spend_claim_days',
        'spend_rise_factor',
        'overlimit_days',
        'budget_deficit_percentage',
        'missing_spend_days',
        'alert_mail_time',
      ],
    },
    { name: 'statements', fields: ['pays_approved_only', 'statement_approval', 'statement_issuer'] },
    { name: 'players', fields: ['players_api_retrieval_time'] },
    {
      name: 'retention',
      fields: [
        'personal_data_days',
        'click_months',
        'postback_months',
        'attempt_months',
        'audit_months',
        'fact_log_months',
      ],
    },
    { name: 'backups', fields: ['sending_held', 'backup_time', 'backup_days'] },
  ],
})
