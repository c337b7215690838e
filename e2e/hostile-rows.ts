// Creates one row of every entity with markup in each text field that a browser would run if a screen did not escape it, and a click and a
// player with more of it.

import { expect, type Page } from '@playwright/test'
import { isAllowed } from '@tributary/contract/access'
import { COUNTRY_CODES } from '@tributary/contract/country-codes'
import { ENTITIES, ENTITY_NAMES, type EntityName } from '@tributary/contract/entities/registry'
import type { Entity } from '@tributary/contract/entity'
import type { Field, TextField } from '@tributary/contract/field'
import { isWritable } from '@tributary/contract/validate'
import { apiOf, type Row } from './admin-api.ts'

/** Part of every hostile text, so that screens can be searched for it. */
export const mark = Date.now().toString(36).slice(-5)
/** An element that runs a script when a screen does not escape it. BREAKS_OUT also leaves an attribute first. */
export const BAIT = `<img/src=x onerror=ran=1>${mark}`
const BREAKS_OUT = `"'><svg/onload=ran=1><script>ran=1</script>${mark}`
const WITHOUT_SPACE = `<svg/onload=ran=1>${mark}`
export const SCRIPT_ADDRESS = 'javascript://bait.example/%0aran=1'

export const entityOf = (name: string): Entity => ENTITIES[name as EntityName]
export const isAddress = (field: Field): field is TextField =>
  field.kind === 'text' && ['url', 'domain', 'template'].includes(field.format ?? '')

/** Reports are created by their own calls; a spend needs an AGENCY partner offer with traffic on that day. */
const MADE_ELSEWHERE: readonly string[] = ['partner_spend', 'player_report', 'players_report_api']
export const MADE = ENTITY_NAMES.filter(
  (name) =>
    isAllowed(entityOf(name).access.create, { role: 'ADMIN', permissions: [] }) && !MADE_ELSEWHERE.includes(name),
)

/** Values for fields that accept no markup. */
const SAMPLES: Readonly<Record<string, unknown>> = {
  email: `bait-${mark}@tributary.example`,
  password: 'Given.Horse1',
  list: 'landing',
  state: 'approved',
}

export class HostileRows {
  readonly made = new Map<EntityName, Row>()
  readonly #page: Page
  /** Entities whose row is being created, so that references between them do not wait for each other. */
  readonly #begun = new Set<string>()
  #count = 0

  constructor(page: Page) {
    this.#page = page
  }

  async make(name: EntityName): Promise<Row> {
    const known = this.made.get(name)
    if (known !== undefined) return known
    this.#begun.add(name)
    const body: Record<string, unknown> = {}
    for (const [key, field] of Object.entries(entityOf(name).fields)) {
      if (isWritable(field, true)) body[key] = await this.#valueFor(name, key, field)
    }
    // The role follows from the permissions, which are left out.
    if (name === 'user') Object.assign(body, { enabled: true, partner: undefined, permissions: undefined })
    // Only a user with the role of a team leader can lead a group.
    if (name === 'partner_group') Object.assign(body, { team_leaders: undefined, team_leader_for_analysts: undefined })
    if (name === 'user_role') Object.assign(body, { kind: 'MANAGER', permissions: [] })
    // The offer is paid per player.
    if (name === 'offer_terms_history') body.cost = 7
    if (name === 'country') body.code = await this.#freeCode()
    const row = await apiOf(this.#page).done('POST', name, body)
    this.made.set(name, row)
    return row
  }

  async #freeCode(): Promise<string | undefined> {
    const { items } = await apiOf(this.#page).done('GET', 'country?limit=-1')
    const taken = new Set((items as Row[]).map(({ code }) => code))
    return COUNTRY_CODES.find((code) => !taken.has(code))
  }

  #text(key: string, { format = 'plain', max = 255 }: TextField): unknown {
    this.#count += 1
    if (SAMPLES[key] !== undefined) return SAMPLES[key]
    if (format === 'plain' || format === 'long')
      return `${key === 'title' ? BAIT : BREAKS_OUT}${this.#count}`.slice(0, max)
    if (format === 'token') return `${WITHOUT_SPACE}${this.#count}`.slice(-max)
    if (format === 'domain') return 'https://bait.example'
    if (format === 'month') return '2026-03'
    if (format === 'spreadsheet') return `spreadsheet-of-a-test-${this.#count}`
    if (format === 'url' || format === 'template')
      return `https://bait.example/?click_id={click_id}&a="><svg/onload=ran=1>${mark}${this.#count}`
    return undefined
  }

  async #valueFor(name: EntityName, key: string, field: Field): Promise<unknown> {
    const { kind } = field
    if (kind === 'text') return this.#text(key, field)
    if (kind === 'texts') return [BREAKS_OUT]
    if (kind === 'reference') return this.#option(name, field.to)
    if (kind === 'references')
      return name === 'user' || this.#begun.has(field.to) ? undefined : [await this.#option(name, field.to)]
    if (kind === 'choice') return SAMPLES[key] ?? field.options.at(-1)
    if (!field.required) return undefined
    if (kind === 'decimal' || kind === 'integer') return 7
    if (kind === 'date') return '2026-03-01'
    return kind === 'boolean' ? true : undefined
  }

  async #option(from: EntityName, to: string): Promise<number | undefined> {
    if (from === 'offer_partner_rs_share_history' && to === 'offer_partner') return this.#sharedOfferPartner()
    const known = this.made.get(to as EntityName)
    if (known !== undefined) return known.id
    if (from !== 'user' && !this.#begun.has(to) && MADE.includes(to as EntityName))
      return (await this.make(to as EntityName)).id
    const kind = to === 'user_role' ? '&filter[kind]=MANAGER' : ''
    const { options } = await apiOf(this.#page).done('GET', `${to}?lookup=1&limit=1${kind}`)
    return (options as Row[])[0]?.id
  }

  /** A partner offer that is paid by revenue share, for another country than that of the row. */
  async #sharedOfferPartner(): Promise<number> {
    const api = apiOf(this.#page)
    const { items } = await api.done('GET', 'offer_partner?filter[offer.payment_model.type]=RS&limit=1')
    const [found] = items as Row[]
    expect(found, 'a partner offer with revenue share').toBeDefined()
    return found?.id ?? 0
  }

  /** Records a click of the partner offer, a registration and a large deposit; each of their texts is hostile. */
  async bringTraffic(): Promise<void> {
    const link = await apiOf(this.#page).done(
      'GET',
      `offer_partner/${(await this.make('offer_partner')).id}?detailed=1`,
    )
    const { request } = this.#page
    const search = new URLSearchParams({ sub_id: BAIT, click_id: BREAKS_OUT })
    const visit = await request.get(`${new URL(String(link.partner_link)).pathname}?${search}`, {
      maxRedirects: 0,
      headers: {
        'user-agent': `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36 ${BAIT}`,
        referer: `https://bait.example/${encodeURI(BAIT)}`,
      },
    })
    expect(visit.status()).toBe(302)
    const target = visit.headers().location ?? ''
    const click = /[?&]click_id=([\w-]+)/.exec(target)?.[1]
    expect(click, target).toBeDefined()
    const { uuid } = await this.make('offer_partner_postback')
    for (const event of [{ event: 'reg' }, { event: 'dep', sum: '900000', transaction_id: BREAKS_OUT }]) {
      const query = new URLSearchParams({ click_id: click ?? '', player_id: BAIT, promocode: BREAKS_OUT, ...event })
      const answer = await request.get(`/postback/${String(uuid)}?${query}`)
      expect(answer.status(), await answer.text()).toBe(200)
    }
  }
}
