// Parses and fills URL templates with macros, and builds links. A template is parsed once, because clicks fill it often. The result is
// printable ASCII for any values, so it is safe in a header.

export const MACROS = [
  'click_id',
  'partner_click_id',
  'sub_id',
  'sub2',
  'sub3',
  'sub4',
  'sub5',
  'site_id',
  'stream',
  'promocode',
  'landing',
  'country',
  'geo',
  'media_id',
  'player_id',
  'event',
  'sum',
  'currency',
  'date',
  'uuid',
] as const
export type Macro = (typeof MACROS)[number]

/** A macro without a value becomes an empty text. */
export type MacroValues = { readonly [M in Macro]?: string | null | undefined }

/**
 * Other systems' names of our macros, so that a pasted URL works unchanged. Names with different meanings in different systems are
 * left out.
 */
export const MACRO_ALIASES: Readonly<Record<string, Macro>> = {
  clickid: 'click_id',
  transaction_id: 'click_id',
  subid: 'click_id',
  cid: 'click_id',
  aff_sub: 'partner_click_id',
  aff_click_id: 'partner_click_id',
  external_id: 'partner_click_id',
  externalid: 'partner_click_id',
  afp: 'partner_click_id',
  sub1: 'sub_id',
  aff_sub1: 'sub_id',
  aff_sub2: 'sub2',
  aff_sub3: 'sub3',
  aff_sub4: 'sub4',
  aff_sub5: 'sub5',
  goal: 'event',
  goal_name: 'event',
  event_name: 'event',
  event_type: 'event',
  status: 'event',
  amount: 'sum',
  sale_amount: 'sum',
  order_sum: 'sum',
  customer_id: 'player_id',
  user_id: 'player_id',
  ip_country: 'geo',
  country_code: 'geo',
  promo: 'promocode',
  promo_code: 'promocode',
  coupon: 'promocode',
  pubid: 'site_id',
  pub_id: 'site_id',
  datetime: 'date',
}

/**
 * `literals` and `macros` alternate, starting and ending with a literal. `defaults` hold encoded replacements for macros without a
 * value; undefined if no macro has one.
 */
export interface Template {
  readonly literals: readonly string[]
  readonly macros: readonly Macro[]
  readonly defaults?: readonly (string | undefined)[] | undefined
}

const KNOWN: ReadonlySet<string> = new Set(MACROS)
const PLACE = /\{([^{}]*)\}/g
/** `{sub_id}`, `{sub_id|default:none}` */
const NAME = /^([^|]*)(?:\|default:(.*))?$/s

interface Place {
  macro: Macro
  /** Encoded. */
  fallback: string | undefined
}

function readPlace(text: string): Place | null {
  const [, name, fallback] = NAME.exec(text) ?? []
  if (name === undefined) return null
  const macro = isMacro(name) ? name : Object.hasOwn(MACRO_ALIASES, name) ? MACRO_ALIASES[name] : undefined
  return macro === undefined ? null : { macro, fallback: fallback && encodeURIComponent(fallback.toWellFormed()) }
}

const isMacro = (name: string): name is Macro => KNOWN.has(name)

/** Unknown macro names in a template, each once; a stray brace is returned as itself. */
export function findUnknownMacros(template: string): string[] {
  const unknown = new Set<string>()
  const rest = template.replace(PLACE, (_, text: string) => {
    if (readPlace(text) === null) unknown.add(text)
    return ''
  })
  for (const brace of rest.match(/[{}]/g) ?? []) unknown.add(brace)
  return [...unknown]
}

/** Parses a template. Text outside macros is kept; characters that a URL cannot hold are encoded. */
export function parseTemplate(text: string): Template {
  const literals: string[] = []
  const places: Place[] = []
  let literal = ''
  let end = 0
  for (const match of text.matchAll(PLACE)) {
    const place = readPlace(match[1] ?? '')
    literal += text.slice(end, match.index)
    end = match.index + match[0].length
    if (place !== null) {
      literals.push(encodeLiteral(literal))
      places.push(place)
      literal = ''
    } else literal += match[0]
  }
  literals.push(encodeLiteral(literal + text.slice(end)))
  return toTemplate(literals, places)
}

/** Omits `defaults` if no macro has one, because most templates have none and every click fills one. */
function toTemplate(literals: readonly string[], places: readonly Place[]): Template {
  const macros = places.map(({ macro }) => macro)
  const hasDefaults = places.some(({ fallback }) => fallback !== undefined)
  return hasDefaults ? { literals, macros, defaults: places.map(({ fallback }) => fallback) } : { literals, macros }
}

const encodeLiteral = (text: string): string => text.toWellFormed().replace(/[^\x21-\x7e]+/g, encodeURIComponent)

/** Replaces macros by URL-encoded values. A macro without a value becomes its default of the template, or an empty text. */
export function fillTemplate(template: Template, values: MacroValues): string {
  let filled = template.literals[0] ?? ''
  let index = 0
  for (const macro of template.macros) {
    const value = values[macro]
    if (value) filled += encodeURIComponent(value.toWellFormed())
    else if (template.defaults !== undefined) filled += template.defaults[index] ?? ''
    filled += template.literals[++index]
  }
  return filled
}

/** Replaces the given macros and keeps all others. */
export function bindTemplate(template: Template, values: MacroValues): Template {
  const literals: string[] = []
  const places: Place[] = []
  let literal = template.literals[0] ?? ''
  for (const [index, macro] of template.macros.entries()) {
    const fallback = template.defaults?.[index]
    const value = values[macro]
    if (macro in values) literal += value ? encodeURIComponent(value.toWellFormed()) : (fallback ?? '')
    else {
      literals.push(literal)
      places.push({ macro, fallback })
      literal = ''
    }
    literal += template.literals[index + 1]
  }
  literals.push(literal)
  return toTemplate(literals, places)
}

/** Writes a template as text, with macros in braces under their canonical names. */
export function writeTemplate({ literals, macros, defaults }: Template): string {
  const place = (index: number): string => {
    const fallback = defaults?.[index]
    return `{${macros[index]}${fallback === undefined ? '' : `|default:${decodeURIComponent(fallback)}`}}`
  }
  return literals.map((literal, index) => (index < macros.length ? literal + place(index) : literal)).join('')
}

/** Builds a tracking link. `domain` is the country's own, with or without https://; without one, `trackerUrl` is used. */
export function buildTrackingLink(offerPartner: {
  uuid: string
  domain?: string | null | undefined
  trackerUrl: string
}): string {
  const domain = offerPartner.domain?.trim().replace(/\/+$/, '')
  const base = domain ? (/^https?:\/\//i.test(domain) ? domain : `https://${domain}`) : offerPartner.trackerUrl
  return `${base}/c/${offerPartner.uuid}`
}

/** What the advertiser link of a click is built from. */
export interface AdvertiserTarget {
  /** The advertiser's domain in the offer's country, else its default; with https://. */
  readonly domain: string
  /** A path with an optional leading slash and query, or a complete URL, which replaces the domain. */
  readonly landing?: string | null | undefined
  /** The partner offer's own template, which replaces everything else. */
  readonly override?: string | null | undefined
}

const PARAMETERS = 'click_id={click_id}&site_id={site_id}&sub_id={sub_id}&promocode={promocode}&media_id={media_id}'

/** Builds the template of the advertiser link, with all macros. */
export function buildAdvertiserTemplate({ domain, landing, override }: AdvertiserTarget): string {
  if (override) return override
  const address = joinLanding(domain.trim(), landing?.trim() ?? '')
  const [page = '', ...fragment] = address.split('#')
  const separator = page.includes('?') ? (/[?&]$/.test(page) ? '' : '&') : '?'
  return [`${page}${separator}${PARAMETERS}`, ...fragment].join('#')
}

function joinLanding(domain: string, landing: string): string {
  if (/^https?:\/\//i.test(landing)) return landing
  const base = domain.replace(/\/+$/, '')
  if (landing === '') return base
  return /^[/?#]/.test(landing) ? base + landing : `${base}/${landing}`
}

/** Builds the advertiser link for copying: values fixed by the partner offer are filled in, per-click values stay macros. */
export function buildAdvertiserLink(
  target: AdvertiserTarget,
  offerPartner: {
    siteId: string
    subId?: string | null
    promocode?: string | null
    mediaId?: string | null
    stream?: string | null
  },
): string {
  const fixed: MacroValues = {
    site_id: offerPartner.siteId,
    media_id: offerPartner.mediaId,
    promocode: offerPartner.promocode,
    ...(offerPartner.subId ? { sub_id: offerPartner.subId } : {}),
    ...(offerPartner.stream ? { stream: offerPartner.stream } : {}),
  }
  return writeTemplate(bindTemplate(parseTemplate(buildAdvertiserTemplate(target)), fixed))
}

/** Builds the URL that an advertiser calls on events; the advertiser's system replaces the macros. */
export function buildPostbackUrl(postback: { uuid: string; trackerUrl: string }): string {
  const names = ['click_id', 'event', 'player_id', 'sum', 'currency', 'country', 'promocode', 'date', 'transaction_id']
  return `${postback.trackerUrl}/postback/${postback.uuid}?${names.map((name) => `${name}={${name}}`).join('&')}`
}
