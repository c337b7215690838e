// Entities: ledger_entry, what a partner has earned by one key, or a correction of it; ledger_item, what an entry is made of. Both are append-only.
import { NOBODY, staffLeadersOr, writtenBy } from '../access.ts'
import { defineEntity } from '../entity.ts'

const staff = staffLeadersOr('payment_invoice_view')
/** Partners read their own rows. */
const view = { roles: ['ADMIN', 'TEAM_LEADER', 'PARTNER'], permissions: ['payment_invoice_view'] } as const

/** cpa: prices of players; rs: shares of income; agency: entered spend with the agency percentage. */
export const LEDGER_KINDS = ['cpa', 'rs', 'agency'] as const

/** close: the month closed for the first time; reclose: it closed again after a reopening; true_up: facts changed while it was closed. */
export const LEDGER_SOURCES = ['close', 'reclose', 'true_up'] as const

/** Income or entered spend, and what is owed of it; for CPA both are the price. */
export interface OwedFigures {
  readonly base: string
  readonly amount: string
  /** That in force: of the income, or added to the spend. Not for CPA, nor for entries of earlier versions. */
  readonly percentage?: string
}

/** A player or spend of a cause: what it gave the key when it was booked before, and what it gives now. */
export interface ChangedRecord {
  readonly entity: 'player' | 'partner_spend'
  readonly id: number
  readonly day: string
  readonly before: OwedFigures
  readonly after: OwedFigures
}

/** Why what is owed has changed, as an entry stores it. */
export interface LedgerCause {
  readonly cause: string
  /** Id of the user; 0: the product itself. */
  readonly user: number
  readonly at: string
  /** Players or spends. */
  readonly facts: number
  /** The first of them; entries of earlier versions have none. */
  readonly records?: readonly ChangedRecord[]
}

const amount = { kind: 'decimal', scale: 4, unit: 'money', readOnly: true } as const

/**
 * The key of an entry is everything from partner to currency except booked_month. The amount is what is owed by the key as known at `known_at`,
 * less what was booked before, both rounded to hundredths.
 */
export const ledgerEntry = defineEntity({
  name: 'ledger_entry',
  route: '/ledger-entries',
  access: { view, lookup: staff, ...writtenBy(NOBODY) },
  scope: { by: 'partner', column: 'partner_id' },
  ignoresGroupFilter: true,
  title: 'id',
  fields: {
    partner: { kind: 'reference', to: 'partner', readOnly: true },
    /** The month of the players' qualification, the income or the spend. */
    earned_month: { kind: 'text', format: 'month', readOnly: true, whole: true },
    /** The month whose statement carries the entry. */
    booked_month: { kind: 'text', format: 'month', readOnly: true, whole: true },
    offer_partner: { kind: 'reference', to: 'offer_partner', readOnly: true },
    stream: { kind: 'reference', to: 'partner_stream', readOnly: true },
    traffic_source: { kind: 'reference', to: 'traffic_source', readOnly: true },
    /** The offer's country. */
    country: { kind: 'reference', to: 'country', readOnly: true },
    advertiser: { kind: 'reference', to: 'advertiser', readOnly: true, hiddenFrom: ['PARTNER'] },
    kind: { kind: 'choice', options: LEDGER_KINDS, readOnly: true },
    /** The currency of the term: of the price, the income or the spend. */
    currency: { kind: 'reference', to: 'currency', readOnly: true },
    amount,
    /** To the currency of the booked month's statement, on the last day of the earned month. Empty if it is missing. */
    fx_rate: { kind: 'derived', shows: 'text', isNumber: true, readOnly: true },
    /** What the entry adds to the partner's ledger, with its currency: a month's entries sum to what it shows as earned. */
    converted: { kind: 'derived', shows: 'text', isNumber: true, readOnly: true },
    source: { kind: 'choice', options: LEDGER_SOURCES, readOnly: true },
    known_at: { kind: 'datetime', readOnly: true },
    /** Why the amount differs from what was booked before: [{cause, user, at, facts, records: [{entity, id, day, before, after}]}]. */
    causes: { kind: 'json', readOnly: true, hiddenFrom: ['PARTNER'] },
    /** Of a correction: its month and what changed, in words for the partner. */
    explanation: { kind: 'derived', shows: 'text', readOnly: true },
    period_close: { kind: 'reference', to: 'period_close', readOnly: true, hiddenFrom: ['PARTNER'] },
  },
  unique: [],
  hasActive: false,
  isLog: true,
  list: {
    columns: [
      'earned_month',
      'amount',
      'fx_rate',
      'converted',
      'partner',
      'kind',
      'source',
      'booked_month',
      'explanation',
      'offer_partner',
      'offer_partner.offer',
      'stream',
      'traffic_source',
      'country',
      'advertiser',
      'created_at',
      'known_at',
      'currency',
    ],
    filters: [
      'partner',
      'earned_month',
      'booked_month',
      'kind',
      'source',
      'offer_partner',
      'stream',
      'traffic_source',
      'country',
      'advertiser',
      'currency',
      'period_close',
      'created_at',
    ],
    sort: { by: 'id', desc: true },
  },
  form: [],
})

/** A line of an entry. Their amounts sum to the entry's before it is rounded. */
export const ledgerItem = defineEntity({
  name: 'ledger_item',
  route: null,
  access: { view, lookup: NOBODY, ...writtenBy(NOBODY) },
  scope: { by: 'through', column: 'ledger_entry_id', entity: 'ledger_entry' },
  ignoresGroupFilter: true,
  title: 'id',
  fields: {
    ledger_entry: { kind: 'reference', to: 'ledger_entry', readOnly: true },
    /** cpa: the player; empty for the other kinds. */
    player: { kind: 'reference', to: 'player', readOnly: true },
    /** cpa: the day of qualification; rs: of the income; agency: of the spend. */
    day: { kind: 'date', readOnly: true },
    /** cpa: 1 or −1; empty for the other kinds. */
    quantity: { kind: 'integer', readOnly: true },
    /** cpa: the price; rs: the income; agency: the entered spend. Partners read it on approved statements, like the percentage. */
    base: { ...amount, hiddenFrom: ['PARTNER'] },
    /** rs and agency: the percentage. */
    rate: { kind: 'decimal', scale: 4, unit: 'percent', readOnly: true, hiddenFrom: ['PARTNER'] },
    amount,
  },
  unique: [],
  hasActive: false,
  isLog: true,
  list: {
    columns: ['ledger_entry', 'player', 'day', 'quantity', 'base', 'rate', 'amount'],
    filters: ['ledger_entry', 'player', 'day'],
    sort: { by: 'id', desc: false },
  },
  form: [],
})
