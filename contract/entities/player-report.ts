// Entity: what the advertiser reported of one player for one day. It replaces the figures that postbacks reported for that day.
import { ADMIN_ONLY, writtenBy } from '../access.ts'
import { defineEntity } from '../entity.ts'

const money = { kind: 'decimal', scale: 4, unit: 'money' } as const

export const playerReport = defineEntity({
  name: 'player_report',
  route: '/players-reports',
  access: { view: ADMIN_ONLY, lookup: ADMIN_ONLY, ...writtenBy(ADMIN_ONLY) },
  scope: { by: 'through', column: 'player_id', entity: 'player' },
  title: 'report_date',
  namedBy: ['player', 'report_date'],
  fields: {
    player: { kind: 'reference', to: 'player', required: true, fixed: true },
    report_date: { kind: 'date', required: true, fixed: true },
    first_day_amount: money,
    deposits_count: { kind: 'integer', min: 0 },
    deposits: money,
    bets: money,
    bonus: money,
    commission: money,
    total_commission: money,
    income: money,
    /** Empty: the currency of the partner offer, or of the advertiser if the partner offer has none. */
    currency: { kind: 'reference', to: 'currency' },
    report: { kind: 'reference', to: 'report', readOnly: true },
  },
  unique: [['player', 'report_date']],
  hasActive: false,
  list: {
    columns: [
      'report_date',
      'player',
      'player.partner',
      'player.advertiser',
      'first_day_amount',
      'deposits_count',
      'deposits',
      'bets',
      'bonus',
      'commission',
      'total_commission',
      'income',
      'currency',
      'report',
    ],
    filters: [
      'report_date',
      'player',
      'player.partner',
      'player.advertiser',
      'player.offer',
      'player.site_id',
      'deposits',
      'income',
      'currency',
      'report',
    ],
    sort: { by: 'report_date', desc: true },
  },
  form: [
    {
      name: 'main',
      fields: [
        'player',
        'report_date',
        'first_day_amount',
        'deposits_count',
        'deposits',
        'bets',
        'bonus',
        'commission',
        'total_commission',
        'income',
        'currency',
        'report',
      ],
    },
  ],
})
