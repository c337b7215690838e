// What the whole installation agrees on: one row, which is there from the start and is never deleted.
import { ADMIN_ONLY, NOBODY } from '../access.ts'
import { defineEntity } from '../entity.ts'

/** The id of the only row. */
export const SETTING_ID = 1

export const setting = defineEntity({
  name: 'setting',
  route: null,
  access: { view: ADMIN_ONLY, lookup: NOBODY, create: NOBODY, edit: ADMIN_ONLY, remove: NOBODY },
  scope: { by: 'everyone' },
  title: 'id',
  fields: {
    /** Always: there is no other row. */
    active: { kind: 'boolean', readOnly: true },
    /** Where days of reports, histories, spends and budgets begin. */
    business_time_zone: { kind: 'text', format: 'zone', required: true },
    /** In which advertisers' files and the players API give their times. */
    server_time_zone: { kind: 'text', format: 'zone', required: true },
    report_currency: { kind: 'reference', to: 'currency' },
    /** How long a second click of the same visitor is a duplicate. */
    uniqueness_hours: { kind: 'integer', min: 1, max: 720, required: true },
    /** After how many days the addresses of visitors are shortened. */
    personal_data_days: { kind: 'integer', min: 1, max: 3650, required: true },
    /** Times of day are UTC. */
    daily_spend_parsing_time: { kind: 'text', format: 'time', required: true },
    monthly_spend_parsing_time: { kind: 'text', format: 'time', required: true },
    /** The day on which the month before is read once more; every month has it. */
    monthly_spend_parsing_day: { kind: 'integer', min: 1, max: 28, required: true },
    /** When the day before is asked for. */
    players_api_retrieval_time: { kind: 'text', format: 'time', required: true },
    /** What is added to entered spend of agency partners. */
    agency_spend_percentage: { kind: 'decimal', scale: 4, min: 0, max: 1000, unit: 'percent', required: true },
    /** A prediction of more than the month before times this is a rise that is warned of. */
    spend_rise_factor: { kind: 'decimal', scale: 2, min: 1, max: 100, required: true },
  },
  unique: [],
  hasActive: false,
  list: { columns: ['business_time_zone', 'report_currency'], filters: [] },
  form: [
    { name: 'main', fields: ['business_time_zone', 'server_time_zone', 'report_currency'] },
    { name: 'tracking', fields: ['uniqueness_hours', 'personal_data_days'] },
    {
      name: 'spends',
      fields: [
        'daily_spend_parsing_time',
        'monthly_spend_parsing_time',
        'monthly_spend_parsing_day',
        'agency_spend_percentage',
        'spend_rise_factor',
      ],
    },
    { name: 'players', fields: ['players_api_retrieval_time'] },
  ],
})
