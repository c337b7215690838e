// Writes closed months and ledger entries straight into the record, for tests of what statements make of them.
import type { Server } from '../../src/server.ts'
import { done, type Json, linkOf, makeNetwork, makeOffer, type Network, unique } from '../support/entity-calls.ts'
import { PASSWORD, type SignedIn } from '../support/sign-in.ts'

export interface Item {
  readonly player?: number | undefined
  readonly day: string
  readonly quantity?: 1 | -1
  readonly base: string
  readonly rate?: string
  readonly amount: string
}

export interface Entry {
  readonly link: Json
  readonly kind: 'cpa' | 'rs' | 'agency'
  readonly earned: string
  readonly booked?: string
  readonly currency: number
  readonly source?: 'close' | 'reclose' | 'true_up'
  readonly items: readonly Item[]
  /** Default: the sum of the items. */
  readonly amount?: string
}

const cents = (text: string): number => Math.round(Number(text) * 100)

export class LedgerRows {
  readonly #server: Server
  readonly #admin: SignedIn

  constructor(server: Server, admin: SignedIn) {
    this.#server = server
    this.#admin = admin
  }

  query(text: string, values: unknown[] = []) {
    return this.#server.services.postgres.pool.query(text, values)
  }

  /** By the close of a group, which leaves partners of other tests open. */
  async close(partner: number, month: string): Promise<void> {
    await this.query(
      `with g as (insert into partner_group (title) values (gen_random_uuid()::text) returning id),
        c as (insert into period_close (month, partner_group_id, closed_at, closed_by_id, known_at)
          select $1, g.id, now(), $3, now() from g returning id)
      insert into period_close_partner (period_close_id, month, partner_id) select id, $1, $2 from c`,
      [month, partner, this.#admin.id],
    )
  }

  /** Returns the id of the entry. */
  async book(entry: Entry): Promise<number> {
    const { link, kind, earned, booked = earned, currency, source = 'close', items } = entry
    const amount = entry.amount ?? (items.reduce((sum, item) => sum + cents(item.amount), 0) / 100).toFixed(2)
    const { rows } = await this.query(
      `insert into ledger_entry (partner_id, earned_month, booked_month, offer_partner_id, stream_id, traffic_source_id, country_id,
          advertiser_id, kind, currency_id, amount, source, known_at)
        select l.partner_id, $2, $3, l.id, l.stream_id, l.traffic_source_id, c.country_id, o.advertiser_id, $4, $5, $6, $7, now()
        from offer_partner l join offer o on o.id = l.offer_id left join advertiser_country c on c.id = o.advertiser_country_id
        where l.id = $1 returning id`,
      [link.id, earned, booked, kind, currency, amount, source],
    )
    const { id } = rows[0]
    for (const item of items)
      await this.query(
        'insert into ledger_item (ledger_entry_id, player_id, day, quantity, base, rate, amount) values ($1, $2, $3, $4, $5, $6, $7)',
        [
          id,
          item.player ?? null,
          item.day,
          item.quantity ?? (kind === 'cpa' ? 1 : null),
          item.base,
          item.rate ?? null,
          item.amount,
        ],
      )
    return id
  }

  /** Players with this resolution; of the link's advertiser. */
  async players(link: Json, count: number, resolution: string | null = 'approved'): Promise<number[]> {
    const { rows } = await this.query(
      `insert into player (partner_id, advertiser_id, outer_id, offer_partner_id, payment_resolution)
        select l.partner_id, o.advertiser_id, gen_random_uuid(), l.id, $3
        from offer_partner l join offer o on o.id = l.offer_id cross join generate_series(1, $2) where l.id = $1 returning id`,
      [link.id, count, resolution],
    )
    return rows.map((row) => row.id)
  }

  /** A partner with billing and approved partner offers in a network of their own. */
  async partner(
    offers: number,
    billing: object = {},
  ): Promise<{ net: Network; partner: number; links: Json[]; currency: number }> {
    const net = await makeNetwork(this.#admin)
    const currency = net.currency.id
    await done(this.#admin, 'PUT', `partner/${net.partner.id}/billing`, {
      currency,
      legal_name: 'Company',
      hold_days: 14,
      current_password: PASSWORD,
      ...billing,
    })
    await done(this.#admin, 'PUT', `advertiser/${net.advertiser.id}`, { default_crm_project_id: 'project-1' })
    const links: Json[] = []
    for (let index = 0; index < offers; index++) {
      const stream = await done(this.#admin, 'POST', 'partner_stream', {
        partner: net.partner.id,
        title: unique('Stream'),
      })
      const offer = await makeOffer(this.#admin, net)
      links.push(
        await done(this.#admin, 'POST', 'offer_partner', linkOf({ ...net, stream, offer }, { state: 'approved' })),
      )
    }
    return { net, partner: net.partner.id, links, currency }
  }
}
