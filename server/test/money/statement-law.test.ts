// The law of statements on random histories: whatever the order in which they are drafted, approved, made void, made again, disputed, paid and
// corrected, the live ones say what one account, settled month by month, says of the amounts that they hold.

import { DEFAULT_ZONE, today } from '@tributary/contract/period'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { MODULES } from '../../src/modules.ts'
import type { Server } from '../../src/server.ts'
import { ask, done, type Json } from '../support/entity-calls.ts'
import { startTestApp } from '../support/harness.ts'
import { type SignedIn, signIn } from '../support/sign-in.ts'
import { LedgerRows } from './ledger-rows.ts'
import { settle, type Terms } from './statement-chain.ts'

/** MONEY_HISTORIES: random histories (default 6); MONEY_SEED: others of the same. */
const HISTORIES = Number(process.env.MONEY_HISTORIES ?? 6)
const SEED = Number(process.env.MONEY_SEED ?? 20_261_124)
/** A slow machine lives through fewer histories; whoever sets MONEY_HISTORIES wants them all. */
const SUITE_MS = 8000
/** A run proves nothing without these, however slow the machine is. */
const ACTS_NEEDED = ['draft', 'approve', 'void']
const ACTIONS = 24
const MONTHS = ['2025-01', '2025-02', '2025-03', '2025-04', '2025-05']
const LAST_MONTH = '2025-06'

let server: Server
let admin: SignedIn
let rows: LedgerRows

beforeAll(async () => {
  server = await startTestApp({ modules: MODULES })
  admin = await signIn(server, 'ADMIN')
  await done(admin, 'POST', 'setting', { statement_approval: 'never' })
  rows = new LedgerRows(server, admin)
})

const month = fc.constantFrom(...MONTHS)
const cents = fc.integer({ min: -40_000, max: 40_000 }).filter((amount) => amount !== 0)
const actionArbitrary = fc.oneof(
  { weight: 7, arbitrary: fc.record({ kind: fc.constant('draft' as const), month }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('narrow' as const), month, link: fc.nat(1) }) },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('approve' as const), pick: fc.nat(9) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('approve all' as const) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('void' as const), pick: fc.nat(9) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('void invoice' as const), pick: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('correct' as const), pick: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('dispute' as const), pick: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('pay' as const), pick: fc.nat(9) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('reopen or close' as const), month }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('adjust' as const), month, cents }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('book' as const),
      month,
      earned: month,
      link: fc.nat(1),
      isRs: fc.boolean(),
      cents,
    }),
  },
)
type Action = typeof actionArbitrary extends fc.Arbitrary<infer T> ? T : never

const historyArbitrary = fc.record({
  rule: fc.constantFrom('carry' as const, 'zero' as const),
  minimum: fc.constantFrom(0, 15_000),
  vat: fc.constantFrom(0, 20),
  /** Every fourth step is two actions at once. */
  steps: fc.array(fc.tuple(actionArbitrary, actionArbitrary), { minLength: ACTIONS, maxLength: ACTIONS }),
})

interface Standing {
  readonly id: number
  readonly month: string
  readonly state: string
  readonly total: string
  readonly held: readonly { isRs: boolean; earned: string; amount: string }[]
}

const inCents = (text: string): number => Math.round(Number(text) * 100)

class Account {
  readonly #partner: number
  readonly #links: readonly Json[]
  readonly #currency: number
  readonly #terms: Terms
  readonly done = new Map<string, number>()

  private constructor({ partner, links, currency }: Awaited<ReturnType<LedgerRows['partner']>>, terms: Terms) {
    this.#partner = partner
    this.#links = links
    this.#currency = currency
    this.#terms = terms
  }

  static async open(terms: Terms): Promise<Account> {
    const billing = { negative_rs: terms.rule, minimum: String(terms.minimum / 100), vat: String(terms.vat) }
    const account = new Account(await rows.partner(2, billing), terms)
    for (const name of [...MONTHS, LAST_MONTH]) await rows.close(account.#partner, name)
    for (const name of MONTHS)
      await account.act({ kind: 'book', month: name, earned: name, link: 0, isRs: true, cents: -9000 })
    return account
  }

  async #standing(): Promise<Standing[]> {
    const { rows: found } = await rows.query(
      `select s.id, s.month, s.state, s.total, coalesce((select jsonb_agg(jsonb_build_object('isRs', e.kind is not distinct from 'rs',
          'earned', coalesce(e.earned_month, a.month), 'amount', coalesce(e.amount, a.amount)::text) order by i.id)
        from statement_item i left join ledger_entry e on e.id = i.ledger_entry_id left join adjustment a on a.id = i.adjustment_id
        where i.statement_id = s.id and i.live), '[]') as held
      from statement s where s.partner_id = $1 and s.state <> 'void' order by s.month`,
      [this.#partner],
    )
    return found
  }

  async #idOf(table: 'statement' | 'payment_invoice', pick: number): Promise<number> {
    const { rows: found } = await rows.query(`select id from ${table} where partner_id = $1 order by id`, [
      this.#partner,
    ])
    return found[pick % Math.max(found.length, 1)]?.id ?? 0
  }

  async #try(kind: string, method: 'POST' | 'PUT', path: string, body?: object): Promise<void> {
    const { status } = await ask(admin, method, path, body)
    expect([200, 201, 404, 409, 422], `${method} ${path}`).toContain(status)
    if (status < 300) this.done.set(kind, (this.done.get(kind) ?? 0) + 1)
  }

  async act(action: Action): Promise<void> {
    const { kind } = action
    const attempt = (method: 'POST' | 'PUT', path: string, body?: object) => this.#try(kind, method, path, body)
    switch (kind) {
      case 'draft':
        return attempt('POST', 'statement', { partner: this.#partner, month: action.month })
      case 'narrow':
        return this.#narrow(action.month, this.#links[action.link] as Json)
      case 'approve':
        return attempt('PUT', `statement/${await this.#idOf('statement', action.pick)}/approve`)
      case 'approve all': {
        const ids = (await this.#standing()).map(({ id }) => id)
        return ids.length === 0 ? undefined : attempt('PUT', 'statement/approve', { ids })
      }
      case 'void':
        return attempt('PUT', `statement/${await this.#idOf('statement', action.pick)}/void`, { reason: 'wrong' })
      case 'void invoice':
        return attempt('PUT', `payment_invoice/${await this.#idOf('payment_invoice', action.pick)}/void`, {
          reason: 'wrong',
        })
      case 'correct': {
        const id = await this.#idOf('payment_invoice', action.pick)
        await rows.query(
          `update payment_invoice set status = 'rejected', crm_key = gen_random_uuid() where id = $1 and status = 'approved'`,
          [id],
        )
        return attempt('PUT', `payment_invoice/${id}/correct`)
      }
      case 'dispute':
        return attempt('PUT', `statement/${await this.#idOf('statement', action.pick)}/dispute`, {
          reason: 'too little',
        })
      case 'pay':
        return this.#pay(await this.#idOf('statement', action.pick))
      case 'reopen or close':
        return this.#reopenOrClose(action.month)
      case 'adjust':
        await rows.query(
          `insert into adjustment (partner_id, month, amount, currency_id, kind, reason) values ($1, $2, $3, $4, 'manual', 'test')`,
          [this.#partner, action.month, (action.cents / 100).toFixed(2), this.#currency],
        )
        return
      case 'book': {
        const amount = (action.cents / 100).toFixed(2)
        const [earned, booked] = [action.earned, action.month].sort() as [string, string]
        const items = [{ day: `${earned}-03`, base: amount, rate: action.isRs ? '100' : '0', amount }]
        const link = this.#links[action.link] as Json
        await rows.book({ link, kind: action.isRs ? 'rs' : 'agency', earned, booked, currency: this.#currency, items })
      }
    }
  }

  async #narrow(name: string, link: Json): Promise<void> {
    const last = new Date(Date.UTC(Number(name.slice(0, 4)), Number(name.slice(5)), 0)).getUTCDate()
    const filter = {
      date_from: `${name}-01`,
      date_to: `${name}-${last}`,
      partners: [this.#partner],
      streams: [(link.stream as Json).id],
    }
    const { digest } = await done(admin, 'POST', 'payment_invoice/preview', { filter })
    await this.#try('narrow', 'POST', 'payment_invoice', { filter, digest })
  }

  async #pay(statement: number): Promise<void> {
    const { rows: found } = await rows.query(
      'select round(total - paid, 2)::text as amount, $2 as paid_at from statement where id = $1',
      [statement, today(DEFAULT_ZONE)],
    )
    await this.#try('pay', 'POST', 'payment', {
      statement,
      currency: this.#currency,
      method: 'bank_transfer',
      ...found[0],
    })
  }

  async #reopenOrClose(name: string): Promise<void> {
    const { rowCount } = await rows.query(
      'update period_close_partner set reopened_at = now() where partner_id = $1 and month = $2 and reopened_at is null',
      [this.#partner, name],
    )
    if (rowCount === 0) await rows.close(this.#partner, name)
  }

  async check(): Promise<void> {
    const standing = await this.#standing()
    const held = standing.map((one) => one.held.map(({ amount, ...rest }) => ({ ...rest, cents: inCents(amount) })))
    const owed = settle(this.#terms, held)
    expect(standing.map(({ month: of, total }) => `${of} ${inCents(total)}`)).toEqual(
      standing.map(({ month: of }, place) => `${of} ${owed[place]?.total}`),
    )
    expect(standing.slice(0, -1).map(({ state }) => state)).not.toContain('draft')
  }

  /** Approves what is drafted, and states all that is left with the last month: nobody is stuck. */
  async finish(): Promise<void> {
    for (const name of MONTHS) {
      const { rowCount } = await rows.query(
        'select from period_close_partner where partner_id = $1 and month = $2 and reopened_at is null',
        [this.#partner, name],
      )
      if (rowCount === 0) await rows.close(this.#partner, name)
    }
    for (const { id, state } of await this.#standing())
      if (state === 'draft') await done(admin, 'PUT', `statement/${id}/approve`)
    const made = await ask(admin, 'POST', 'statement', { partner: this.#partner, month: LAST_MONTH })
    if (made.status !== 201) expect(made.body.reasons).toMatchObject([{ code: 'nothing_payable' }])
    await this.check()
    const { rows: left } = await rows.query(
      'select from ledger_entry e where partner_id = $1 and not exists (select from statement_item i where i.ledger_entry_id = e.id and i.live)',
      [this.#partner],
    )
    expect(left).toHaveLength(0)
  }
}

test('whatever the order of drafts, approvals, voids and corrections, live statements say what one account owes [MON-12] [MON-13]', {
  timeout: 60_000 + HISTORIES * 20_000,
}, async () => {
  const began = performance.now()
  const counts = new Map<string, number>()
  for (const [place, { steps, ...terms }] of fc
    .sample(historyArbitrary, { numRuns: HISTORIES, seed: SEED })
    .entries()) {
    const account = await Account.open(terms)
    const told: string[] = []
    try {
      for (const [step, [action, other]] of steps.entries()) {
        const together = step % 4 === 3 ? [action, other] : [action]
        told.push(...together.map((one) => JSON.stringify(one)))
        await Promise.all(together.map((one) => account.act(one)))
        await account.check()
      }
      await account.finish()
    } catch (error) {
      throw new Error(`history ${place} of MONEY_SEED ${SEED} ${JSON.stringify(terms)}:\n${told.join('\n')}`, {
        cause: error,
      })
    }
    for (const [kind, count] of account.done) counts.set(kind, (counts.get(kind) ?? 0) + count)
    const isEnough = performance.now() - began > SUITE_MS && ACTS_NEEDED.every((kind) => counts.has(kind))
    if (process.env.MONEY_HISTORIES === undefined && isEnough) break
  }
  for (const kind of ACTS_NEEDED) expect(counts.get(kind), kind).toBeGreaterThan(0)
})
