// Lives a random history on real engines and compares the ledger with the naive one after each step.
import { expect } from 'vitest'
import { createOutboxProjector, type OutboxProjector } from '../../src/facts/outbox-projector.ts'
import { createProjection, type Projection } from '../../src/facts/projection.ts'
import { rebuild } from '../../src/facts/rebuild.ts'
import { readSetting, storeAppliedSetting } from '../../src/facts/setting.ts'
import { trueUp } from '../../src/money/close.ts'
import type { Server } from '../../src/server.ts'
import { clearWorld, writeBooks, writeDirectory, writeEvents, writePlayers } from '../reports/reports-record.ts'
import type { World } from '../reports/reports-world.ts'
import { ask, done } from '../support/entity-calls.ts'
import { type SignedIn, signIn } from '../support/sign-in.ts'
import { makeChange } from './ledger-changes.ts'
import type { Act, Change, History, Round } from './ledger-history.ts'
import { type Booking, hasClaims, type KeyText, lacksRate, NaiveLedger } from './ledger-oracle.ts'

interface EntryRow {
  readonly id: number
  readonly key: KeyText
  readonly booked: string
  readonly source: string
  readonly amount: string
  readonly known_at: Date
  readonly causes: readonly unknown[]
  /** Everything else that must never change, its items included. */
  readonly whole: string
}

const ENTRIES = `select e.id, concat_ws(' ', partner_id, earned_month, offer_partner_id, stream_id, traffic_source_id, country_id, advertiser_id,
    kind, currency_id) as key, booked_month as booked, source, amount::numeric(18, 2)::text as amount, known_at, causes,
    e::text || coalesce((select string_agg(i::text, ';' order by i.id) from ledger_item i where i.ledger_entry_id = e.id), '') as whole
  from ledger_entry e order by e.id`

/** Players who stand in CPA keys, with what they sum to. */
const STANDING = `select concat_ws(' ', e.partner_id, e.earned_month, e.offer_partner_id, e.stream_id, e.traffic_source_id, e.country_id,
    e.advertiser_id, e.kind, e.currency_id) as key, i.player_id as player, sum(i.quantity)::int as count, sum(i.amount)::numeric(18, 2)::text as amount
  from ledger_entry e join ledger_item i on i.ledger_entry_id = e.id where e.kind = 'cpa' group by 1, 2`

const COUNTED_TWICE = `select e.offer_partner_id, i.player_id, sum(i.quantity)::int as count
  from ledger_entry e join ledger_item i on i.ledger_entry_id = e.id where e.kind = 'cpa' group by 1, 2 having sum(i.quantity) not in (0, 1)`

/** Entries whose items do not explain their sums: of CPA each entry's, of the rest each key's, which is rounded once. */
const UNEXPLAINED = `select key, kind from (
    select case kind when 'cpa' then e.id::text else concat_ws(' ', partner_id, earned_month, offer_partner_id, stream_id, traffic_source_id,
      country_id, advertiser_id, kind, currency_id) end as key, kind, amount,
      (select coalesce(sum(i.amount), 0) from ledger_item i where i.ledger_entry_id = e.id) as items
    from ledger_entry e) as k group by 1, 2 having sum(amount) <> round(sum(items), 2)`

const toCents = (text: string): bigint => BigInt(text.replace('.', ''))

export class LedgerLaw {
  readonly #server: Server
  readonly #history: History
  readonly #ledger = new NaiveLedger()
  /** The record, the facts, and the facts under the watermark. */
  readonly #world: World
  #projected: World
  #known: World
  #admin: SignedIn | undefined
  #projection: Projection | undefined
  #projector: OutboxProjector | undefined
  #entries: readonly EntryRow[] = []

  constructor(server: Server, history: History) {
    this.#server = server
    this.#history = history
    this.#world = structuredClone(history.world)
    this.#projected = this.#known = structuredClone(history.world)
  }

  /** Returns the number of entries. */
  async live(): Promise<number> {
    await this.#begin()
    for (const round of this.#history.rounds) await this.#play(round)
    await this.#project(true)
    await this.#act({ do: 'true up' })
    await this.#expectBalances()
    return this.#entries.length
  }

  get #services() {
    return this.#server.services
  }

  async #begin(): Promise<void> {
    const { postgres, clickhouse } = this.#services
    await clearWorld(postgres, clickhouse)
    await postgres.pool.query('delete from facts_rebuild')
    await writeDirectory(postgres, this.#world)
    await storeAppliedSetting(postgres.pool, await readSetting(postgres.pool))
    await writePlayers(postgres, this.#world)
    await writeEvents(postgres, this.#world.events)
    await writeBooks(postgres, this.#world)
    await postgres.pool.query(
      `select setval(pg_get_serial_sequence('"user"', 'id'), greatest(100, (select max(id) from "user")))`,
    )
    this.#admin = await signIn(this.#server, 'ADMIN')
    this.#projection = createProjection(postgres, clickhouse)
    this.#projector = createOutboxProjector(postgres, clickhouse, this.#projection)
  }

  async #project(isKnown: boolean): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 3))
    while ((await this.#projector?.projectOnce())?.hasMore === true);
    this.#projected = structuredClone(this.#world)
    if (!isKnown) return
    const dataTo = (await this.#projector?.projectOnce())?.dataTo ?? 0
    await this.#services.postgres.pool.query(
      `insert into facts_progress (name, at) values ('record', $1) on conflict (name) do update set at = excluded.at`,
      [new Date(dataTo)],
    )
    this.#known = this.#projected
    await new Promise((resolve) => setTimeout(resolve, 3))
  }

  async #play({ changes, seen, act }: Round): Promise<void> {
    for (const change of changes) await this.#change(change)
    // A close waits until reports know everything that was saved before it.
    const isKnown = seen === 'known' || act.do === 'close'
    if (isKnown || seen !== 'recorded') await this.#project(isKnown)
    await this.#act(act)
  }

  async #change(change: Change): Promise<void> {
    if (change.of === 'zone') await this.#changeZone(change.zone)
    else await makeChange(this.#world, this.#services.postgres, change)
    if (change.of === 'partner') this.#ledger.join(this.#world.partners.length)
  }

  /** Rejected while a close stands; else all facts are rebuilt. */
  async #changeZone(zone: string): Promise<void> {
    const isRejected = zone !== this.#world.zone && this.#ledger.closes.some(({ standing }) => standing.size > 0)
    const { status } = await ask(this.#person, 'PATCH', 'setting/1', { business_time_zone: zone })
    expect(status).toBe(isRejected ? 409 : 200)
    if (isRejected || zone === this.#world.zone) return
    this.#world.zone = zone
    await this.#project(false)
    const { postgres, clickhouse } = this.#services
    if (this.#projection === undefined) return
    const work = { postgres, clickhouse, projection: this.#projection, requests: [] }
    await rebuild({ ...work, between: async () => false, withoutClicks: (rewrite) => rewrite() })
    await postgres.pool.query('delete from facts_rebuild')
    await this.#project(true)
  }

  get #person(): SignedIn {
    if (this.#admin === undefined) throw new Error('the history has not begun')
    return this.#admin
  }

  async #act(act: Act): Promise<void> {
    const { months } = this.#history
    switch (act.do) {
      case 'close':
        return this.#close(months[act.month], act.group)
      case 'reopen':
        return this.#reopen(act.row, act.partner)
      case 'true up':
        expect(await trueUp(this.#services)).toBe(
          await this.#expectBooked(this.#ledger.book(this.#known, this.#world, null)),
        )
        expect(await trueUp(this.#services)).toBe(0)
        return
      case 'adjust':
        return this.#adjust(act, months[act.month])
    }
  }

  async #close(month: string, group: number | null): Promise<void> {
    const partners = this.#ledger.openPartners(this.#world, month, group)
    const isBlocked =
      partners.length === 0 || hasClaims(this.#world, month, partners) || lacksRate(this.#projected, month, partners)
    const reply = await ask(this.#person, 'POST', 'period_close', {
      month,
      ...(group !== null && { partner_group: group }),
    })
    expect(reply.status, JSON.stringify(reply.body)).toBe(isBlocked ? 409 : 201)
    if (isBlocked) return void (await this.#expectBooked(new Map()))
    const close = { id: reply.body.id, month, group, standing: new Set(partners) }
    this.#ledger.close(close)
    await this.#expectBooked(this.#ledger.book(this.#known, this.#world, close))
  }

  async #reopen(row: number, partner: number | null): Promise<void> {
    const { closes } = this.#ledger
    const close = closes[row % Math.max(closes.length, 1)]
    if (close === undefined) return
    const one = partner === null ? null : (this.#world.partners[partner % this.#world.partners.length]?.id ?? null)
    const isStanding = one === null ? close.standing.size > 0 : close.standing.has(one)
    const body = { reason: 'late figures', ...(one !== null && { partner: one }) }
    const { status } = await ask(this.#person, 'PUT', `period_close/${close.id}/reopen`, body)
    expect(status).toBe(isStanding ? 200 : 409)
    this.#ledger.reopen(close, one)
    await this.#expectBooked(new Map())
  }

  async #adjust({ partner: row, cents, currency }: Extract<Act, { do: 'adjust' }>, month: string): Promise<void> {
    const partner = this.#world.partners[row % this.#world.partners.length]?.id ?? 1
    const amount = (cents / 100).toFixed(2)
    await done(this.#person, 'POST', 'adjustment', {
      partner,
      month,
      amount,
      currency,
      kind: 'bonus',
      reason: 'agreed',
    })
    this.#ledger.adjustments.push({ partner, month, currency, cents: BigInt(cents) })
    await this.#expectBooked(new Map())
  }

  /** The entries so far are as they were, the new ones as expected, and the sums are the naive ledger's. Returns the number of new ones. */
  async #expectBooked(expected: ReadonlyMap<KeyText, Booking>): Promise<number> {
    const { pool } = this.#services.postgres
    const { rows } = await pool.query<EntryRow>(ENTRIES)
    const before = this.#entries.length
    expect(rows.slice(0, before).map(({ whole }) => whole)).toEqual(this.#entries.map(({ whole }) => whole))
    const added = rows.slice(before)
    const { rows: progress } = await pool.query<{ at: Date }>(`select at from facts_progress where name = 'record'`)
    expect(added.map(({ key, source, booked }) => `${key} ${source} ${booked}`).sort()).toEqual(
      [...expected].map(([key, { source, booked }]) => `${key} ${source} ${booked}`).sort(),
    )
    for (const { known_at, source, causes, key } of added) {
      expect(known_at).toEqual(progress[0]?.at)
      expect([key, source, causes.length > 0]).toEqual([key, source, source !== 'close'])
    }
    this.#entries = rows
    const sums = new Map<KeyText, bigint>()
    for (const { key, amount } of rows) sums.set(key, (sums.get(key) ?? 0n) + toCents(amount))
    expect(sums).toEqual(
      new Map([...sums.keys(), ...this.#ledger.booked.keys()].map((key) => [key, this.#ledger.booked.get(key)?.cents])),
    )
    await this.#expectItems()
    return added.length
  }

  async #expectItems(): Promise<void> {
    const { pool } = this.#services.postgres
    const { rows } = await pool.query<{ key: KeyText; player: number; count: number; amount: string }>(STANDING)
    expect(
      rows
        .filter(({ count, amount }) => count !== 0 || Number(amount) !== 0)
        .map(({ key, player, count, amount }) => `${key}: ${player} ${count} ${toCents(amount)}`)
        .sort(),
    ).toEqual(
      [...this.#ledger.booked]
        .flatMap(([key, { players }]) => [...players].map(([player, price]) => `${key}: ${player} 1 ${price}`))
        .sort(),
    )
    expect((await pool.query(COUNTED_TWICE)).rows).toEqual([])
    expect((await pool.query(UNEXPLAINED)).rows).toEqual([])
    const { rows: standing } = await pool.query<{ close: string }>(
      `select period_close_id || ' ' || partner_id as close from period_close_partner where reopened_at is null order by 1`,
    )
    expect(standing.map(({ close }) => close)).toEqual(
      this.#ledger.closes
        .flatMap(({ id, standing: partners }) => [...partners].map((partner) => `${id} ${partner}`))
        .sort(),
    )
  }

  async #expectBalances(): Promise<void> {
    for (const { id } of this.#world.partners) {
      const { balance } = await done(this.#person, 'GET', `partner/${id}/ledger`)
      expect([id, toCents(String(balance)) / 100n]).toEqual([id, this.#ledger.balance(this.#world, id)])
    }
  }
}
