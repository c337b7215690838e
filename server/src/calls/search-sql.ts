// Statements of the search over records, one for each kind. Each finds candidates by an index, within the caller's rows, and scores them:
// 1 for the whole value, less for a beginning, a part, and a similar name.
import type { Entity } from '@tributary/contract/entity'
import { sql } from 'kysely'
import { and, likePattern } from '../entities/engine/list/condition.ts'
import type { Fragment } from '../entities/engine/model/model.ts'
import { entityNamed, tableOf } from '../entities/engine/model/model.ts'
import type { RequestContext } from '../entities/engine/model/request-context.ts'

export interface SearchedText {
  /** In lower case. */
  readonly text: string
  readonly words: readonly string[]
  /** The record's own id; 0 if the text is not one. */
  readonly id: number
  /** A click id, or the id in a tracking link; null if the text contains none. */
  readonly uuid: string | null
  /** The first 8 to 31 hexadecimal digits of a click id, without hyphens; null for any other text. */
  readonly clickStart: string | null
}

const WORDS_CAP = 6
/** How much of a word must be right: one wrong letter of five is forgiven. */
export const WORD_SIMILARITY = 0.4
/** Trigrams need three letters: a shorter text is looked for among ids and names only. */
export const SHORTEST_PART = 3
const CANDIDATES = 200

const UUID_DIGITS = 32
const hyphenate = (digits: string): string => digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/

export function readText(query: string): SearchedText {
  const text = query.trim().toLowerCase().replace(/\s+/g, ' ')
  const number = /^#?(\d{1,15})$/.exec(text)?.[1]
  const digits = /^[0-9a-f]{8}[0-9a-f-]*$/.test(text) ? text.replaceAll('-', '') : ''
  return {
    text,
    words: text.split(' ').slice(0, WORDS_CAP),
    id: number === undefined ? 0 : Number(number),
    uuid: UUID.exec(text)?.[0] ?? (digits.length === UUID_DIGITS ? hyphenate(digits) : null),
    clickStart: digits !== '' && digits.length < UUID_DIGITS ? digits : null,
  }
}

const beginningWith = (text: string): string => likePattern(text).slice(1)

/** True for a name that has every word, as a part or with typing errors. `name` is in lower case. A single letter must begin a word. */
const hasWords = (name: Fragment, words: readonly string[]): Fragment => and(words.map((word) => hasWord(name, word)))

const hasWord = (name: Fragment, word: string): Fragment =>
  word.length === 1
    ? sql`' ' || ${name} like ${`% ${beginningWith(word)}`}`
    : sql`(${name} like ${likePattern(word)} or ${word}::text <% ${name})`

/** Similar words count most; of names with the same ones, the name that has little else is the better. */
function scoreOf(name: Fragment, { text, words }: SearchedText): Fragment {
  const similarity = sql.join(
    words.map((word) => sql`word_similarity(${word}::text, ${name})`),
    sql` + `,
  )
  return sql`case when ${name} = ${text} then 1 when ${name} like ${beginningWith(text)} then 0.9
    when ${name} like ${`% ${beginningWith(text)}`} then 0.8 when ${name} like ${likePattern(text)} then 0.7
    else 0.5 * (${similarity}) / ${words.length}::int + 0.1 * similarity(${text}::text, ${name}) end`
}

const inScope = (context: RequestContext, entity: Entity): Fragment => context.scopeOf(entity, 't') ?? sql`true`
const LOWERED: Fragment = sql`0.15`

interface Named {
  readonly entity: string
  /** SQL of the name, in lower case, exactly as its index has it. */
  readonly name: string
  readonly title: string
  readonly detail?: string
  readonly join?: string
  readonly active: string
}

const NAMED = {
  partner: { entity: 'partner', name: 'lower(t.title)', title: 't.title', active: 't.active' },
  advertiser: { entity: 'advertiser', name: 'lower(t.title)', title: 't.title', active: 't.active' },
  offer: { entity: 'offer', name: 'lower(t.title)', title: 't.title', active: 't.active' },
  user: {
    entity: 'user',
    name: 'lower(t.full_name)',
    title: 't.full_name',
    detail: 't.email::text',
    active: 't.enabled',
  },
} as const satisfies Readonly<Record<string, Named>>

export type NamedKind = keyof typeof NAMED

/** The domain is common to many users: it counts only if it is asked for. */
const emailPattern = (text: string): string => (text.includes('@') ? likePattern(text) : beginningWith(text))

/** Records with a name of their own: few enough to look for every word of the text anywhere. */
export function findNamed(context: RequestContext, kind: NamedKind, searched: SearchedText, limit: number): Fragment {
  const { entity, name, title, active, ...more }: Named = NAMED[kind]
  const [named, found] = [sql.raw(name), entityNamed(entity)]
  const hasEmail = kind === 'user' ? sql`lower(t.email::text) like ${emailPattern(searched.text)}` : sql`false`
  return sql`select t.id, ${sql.raw(title)} as title, ${sql.raw(more.detail ?? 'null::text')} as detail, ${sql.raw(active)} as active,
      case when t.id = ${searched.id} then 'id' end as field,
      greatest(case when t.id = ${searched.id} then 0.95 when ${hasEmail} then 0.75 else 0 end, ${scoreOf(named, searched)})
        - case when ${sql.raw(active)} then 0 else ${LOWERED} end as score
    from ${tableOf(found)} as t
    where ((${hasWords(named, searched.words)}) or t.id = ${searched.id} or ${hasEmail}) and ${inScope(context, found)}
    order by score desc, t.id desc limit ${limit}`
}

/** What all partner offers show: their site ID, and the partner and offer that they join. */
const shownOffers = (candidates: Fragment, limit: number): Fragment =>
  sql`select distinct on (score, t.id) t.id, t.site_id as title, partner.title || ' · ' || offer.title as detail, t.active,
      found.field, found.value, found.score - case when t.active then 0 else ${LOWERED} end as score
    from (${candidates}) as found (id, field, value, score) join offer_partner as t on t.id = found.id
      join partner on partner.id = t.partner_id join offer on offer.id = t.offer_id
    order by score desc, t.id desc limit ${limit}`

/** Partner offers by id, tracking link, site ID, sub ID or promo code. */
export function findOffersByCode(context: RequestContext, searched: SearchedText, limit: number): Fragment {
  const { text, id, uuid } = searched
  const scope = inScope(context, entityNamed('offer_partner'))
  const parts: Fragment[] = [
    sql`select t.id, 'id', null::text, 0.9 from offer_partner as t where t.id = ${id} and ${scope}`,
  ]
  if (uuid !== null)
    parts.push(
      sql`select t.id, 'uuid', t.uuid::text, 1 from offer_partner as t where t.uuid = ${uuid}::uuid and ${scope}`,
    )
  if (text.length >= SHORTEST_PART)
    parts.push(
      byPart(sql`lower(t.site_id)`, sql`null`, sql`null::text`, searched, scope),
      byPart(sql`lower(t.sub_id)`, sql`'sub_id'`, sql`t.sub_id`, searched, scope),
      byPart(sql`promo_codes_text(t.promo_codes)`, sql`'promo_codes'`, PROMO_CODES, searched, scope),
    )
  return shownOffers(
    sql.join(
      parts.map((part) => sql`(${part})`),
      sql` union all `,
    ),
    limit,
  )
}

const PROMO_CODES = sql`array_to_string(t.promo_codes, ', ')`

const byPart = (code: Fragment, field: Fragment, value: Fragment, searched: SearchedText, scope: Fragment): Fragment =>
  sql`select t.id, ${field}::text, ${value}, ${scoreOf(code, { ...searched, words: [searched.text] })} as score from offer_partner as t
    where ${code} like ${likePattern(searched.text)} and ${scope} limit ${CANDIDATES}`

/** Partner offers whose stream has a word of three letters or more, and whose partner has the other words: 'northwind seo'. */
export function findOffersByStream(context: RequestContext, { text, words }: SearchedText, limit: number): Fragment {
  const hasPart = (name: Fragment) => words.map((word) => sql`${name} like ${likePattern(word)}`)
  const [stream, partner] = [sql`lower(s.title)`, sql`lower(p.title)`]
  const [inStream, inPartner] = [hasPart(stream), hasPart(partner)]
  const has = words.map((_, index) => sql`(${inStream[index]} or ${inPartner[index]})`)
  const indexed = inStream.filter((_, index) => (words[index] ?? '').length >= SHORTEST_PART)
  return shownOffers(
    sql`select t.id, 'stream', s.title, case when ${stream} = ${text} then 0.85 when ${stream} like ${likePattern(text)} then 0.65 else 0.45 end
      from partner_stream as s join partner as p on p.id = s.partner_id join offer_partner as t on t.stream_id = s.id
      where (${sql.join(indexed, sql` or `)}) and ${and(has)} and ${inScope(context, entityNamed('offer_partner'))}
      limit ${CANDIDATES}`,
    limit,
  )
}

/** Partner offers whose site ID or promo code resembles the text. It reads much of an index: only for a text that nothing contains. */
export function findOffersByTypo(context: RequestContext, { text }: SearchedText, limit: number): Fragment {
  const resembling = (code: Fragment, field: Fragment, value: Fragment): Fragment =>
    sql`(select t.id, ${field}::text, ${value}, 0.5 * word_similarity(${text}, ${code}) from offer_partner as t
      where ${text}::text <% ${code} and ${inScope(context, entityNamed('offer_partner'))} limit ${CANDIDATES})`
  const bySite = resembling(sql`lower(t.site_id)`, sql`null`, sql`null::text`)
  const byPromo = resembling(sql`promo_codes_text(t.promo_codes)`, sql`'promo_codes'`, PROMO_CODES)
  return shownOffers(sql`${bySite} union all ${byPromo}`, limit)
}

/** Partner offers whose partner and offer have the words between them: 'northwind brazil'. */
export function findOffersByNames(context: RequestContext, { words }: SearchedText, limit: number): Fragment {
  const all = 2 ** words.length - 1
  const matches = (table: string): Fragment => {
    const each = (write: (word: string, column: Fragment, index: number) => Fragment, sign: Fragment): Fragment =>
      sql.join(
        words.map((word, index) => write(word, sql.raw(`s${index}`), index)),
        sign,
      )
    const similarities = each(
      (word, column) => sql`case when lower(n.title) like ${likePattern(word)} then 1
        else word_similarity(${word}::text, lower(n.title)) end as ${column}`,
      sql`, `,
    )
    const mask = each(
      (_, column, index) => sql`case when ${column} >= ${WORD_SIMILARITY} then ${2 ** index}::int else 0 end`,
      sql` + `,
    )
    const scores = each(
      (_, column) => sql`case when ${column} >= ${WORD_SIMILARITY} then ${column} else 0 end as ${column}`,
      sql`, `,
    )
    // "offset 0" keeps PostgreSQL from computing a similarity more than once.
    return sql`select id, ${mask} as mask, ${scores}
      from (select n.id, ${similarities} from ${sql.id(table)} as n offset 0) as compared
      where ${each((_, column) => sql`${column} >= ${WORD_SIMILARITY}`, sql` or `)}`
  }
  // If both names contain a word, it counts once.
  const score = sql.join(
    words.map((_, index) => sql`greatest(p.${sql.raw(`s${index}`)}, o.${sql.raw(`s${index}`)})`),
    sql` + `,
  )
  return shownOffers(
    sql`with p as materialized (${matches('partner')}), o as materialized (${matches('offer')})
      select t.id, null, null::text, 0.4 * (${score}) / ${words.length}::int from p
        join offer_partner as t on t.partner_id = p.id join o on o.id = t.offer_id
        where p.mask | o.mask = ${all}::int and p.mask <> ${all}::int and ${inScope(context, entityNamed('offer_partner'))}
        order by 4 desc, t.id desc limit ${limit}`,
    limit,
  )
}

/** Players by id, by the beginning of the advertiser's id, by click or by the partner's click id. */
export function findPlayers(context: RequestContext, searched: SearchedText, limit: number): Fragment {
  const { text, id, uuid } = searched
  const scope = inScope(context, entityNamed('player'))
  const rank = sql`case when lower(t.outer_id) = ${text} then 1 else 0.85 end`
  const outer = (more: Fragment) => sql`select t.id, null::text, null::text, ${rank} from player as t
    where lower(t.outer_id) like ${beginningWith(text)} and ${more} order by lower(t.outer_id) using ~<~ limit ${limit}`
  const { partners } = context
  const parts: Fragment[] = [
    sql`select t.id, 'id', null::text, 0.85 from player as t where t.id = ${id} and ${scope}`,
    sql`select t.id, 'partner_click_id', t.partner_click_id, 0.95 from player as t
      where t.partner_click_id = ${text} and ${scope} limit ${limit}`,
    partners === null
      ? outer(scope)
      : sql`select own.* from unnest(${partners}::int[]) as mine (id)
          cross join lateral (${outer(sql`t.partner_id = mine.id`)}) as own limit ${CANDIDATES}`,
  ]
  if (uuid !== null)
    parts.push(sql`select t.id, 'click_id', t.click_id::text, 0.95 from player as t
      where t.click_id = ${uuid}::uuid and ${scope} limit ${limit}`)
  return sql`select distinct on (score, t.id) t.id, t.outer_id as title, concat_ws(' · ', partner.title, offer.title) as detail,
      t.active, found.field, found.value, found.score
    from (${sql.join(
      parts.map((part) => sql`(${part})`),
      sql` union all `,
    )}) as found (id, field, value, score)
      join player as t on t.id = found.id left join partner on partner.id = t.partner_id left join offer on offer.id = t.offer_id
    where ${scope} order by found.score desc, t.id desc limit ${limit}`
}
