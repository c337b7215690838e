// The pages of the guide, which page each screen opens, and how pages are searched. The texts are in docs/guide.
import type { Language } from '@tributary/contract/language'
import { plainText, readGuide } from './guide-text.ts'

/** In the order of the contents. */
export const GUIDE_PAGES = [
  'start',
  'lists',
  'dashboard',
  'reports',
  'cohorts',
  'costs',
  'clicks',
  'players',
  'player-reports',
  'postbacks',
  'trace',
  'partners',
  'advertisers',
  'offers',
  'partner-offers',
  'finance',
  'spends',
  'budgets',
  'closing',
  'statements',
  'billing',
  'directory',
  'users',
  'audit-log',
  'settings',
  'status',
  'account',
] as const
export type GuidePage = (typeof GUIDE_PAGES)[number]

/** The page of each screen, by the beginning of its path. */
const PAGE_OF: Readonly<Record<string, GuidePage>> = {
  '/dashboard': 'dashboard',
  '/general-report': 'reports',
  '/general-report-old': 'reports',
  '/general-report-click': 'reports',
  '/general-report-click-old': 'reports',
  '/cohort-analysis': 'cohorts',
  '/cohort-analysis-old': 'cohorts',
  '/cohort-analysis-cumulative': 'cohorts',
  '/costs-report': 'costs',
  '/partners-report': 'costs',
  '/new-streams': 'costs',
  '/clicks': 'clicks',
  '/rejected-clicks': 'clicks',
  '/players': 'players',
  '/players-reports': 'player-reports',
  '/players-reports-api': 'player-reports',
  '/postbacks': 'postbacks',
  '/trace': 'trace',
  '/partners': 'partners',
  '/partner-groups': 'partners',
  '/advertisers': 'advertisers',
  '/offers': 'offers',
  '/offer-partners': 'partner-offers',
  '/finance-overview': 'finance',
  '/partners-spends': 'spends',
  '/spends-parsing-logs': 'spends',
  '/budget-plan': 'budgets',
  '/budgets': 'budgets',
  '/period-closes': 'closing',
  '/partner-ledger': 'closing',
  '/ledger-entries': 'closing',
  '/adjustments': 'closing',
  '/payment-invoices': 'statements',
  '/statements': 'statements',
  '/payments': 'statements',
  '/billing': 'billing',
  '/products': 'directory',
  '/traffic-sources': 'directory',
  '/landings': 'directory',
  '/payment-models': 'directory',
  '/countries': 'directory',
  '/currencies': 'directory',
  '/events': 'directory',
  '/event-groups': 'directory',
  '/partner-tags': 'directory',
  '/link-tags': 'directory',
  '/users': 'users',
  '/roles': 'users',
  '/audit-log': 'audit-log',
  '/settings': 'settings',
  '/status': 'status',
  '/account': 'account',
}

/** The page about the screen at a path; `lists` if there is none. */
export function guidePageOf(pathname: string): GuidePage {
  const [, first = ''] = pathname.split('/')
  return PAGE_OF[`/${first}`] ?? 'lists'
}

export type GuideTexts = Readonly<Record<GuidePage, string>>

type GuideFiles = Readonly<Record<string, string>>

const LOAD: Readonly<Record<Language, () => Promise<GuideFiles>>> = {
  en: async () => (await import('./pages-en.ts')).pagesEn,
  ru: async () => (await import('./pages-ru.ts')).pagesRu,
}

/** Downloads all pages in a language. */
export const loadGuide = async (language: Language): Promise<GuideTexts> => textsOf(await LOAD[language]())

/** The texts by page, from files named `…/<page>.md`. Throws if a page has none. */
function textsOf(files: GuideFiles): GuideTexts {
  const byName = new Map(Object.entries(files).map(([path, text]) => [path.replace(/^.*\/|\.md$/g, ''), text]))
  const pages = GUIDE_PAGES.map((page) => {
    const text = byName.get(page)
    if (text === undefined) throw new Error(`the guide lacks the page ${page}`)
    return [page, text] as const
  })
  // Every page has an entry.
  return Object.fromEntries(pages) as Record<GuidePage, string>
}

interface FoundPage {
  readonly page: GuidePage
  readonly title: string
  /** The words around the first place found; empty without a search. */
  readonly excerpt: string
}

/** Words that people use for what a page calls otherwise, in both languages. */
const OTHER_WORDS: Partial<Record<GuidePage, readonly string[]>> = {
  statements: ['payout', 'payouts', 'settlement'],
  partners: ['affiliate', 'affiliates', 'publisher', 'аффилиат', 'вебмастер'],
  'partner-offers': ['tracking link', 'offer link'],
  offers: ['campaign', 'campaigns', 'кампания'],
  dashboard: ['home'],
}

const EXCERPT_BEFORE = 30
const EXCERPT_LENGTH = 110

/**
 * Of a title that is what is sought, a word of it or its plural; a heading or term that is; a title that begins with it; a title with the
 * words; a term with them; and a text with them.
 */
const RANKS = 6

/** How well a page answers, the best first. */
function rankOf(markdown: string, title: string, sought: string, words: readonly string[]): number {
  const terms = [...markdown.matchAll(/^(?:#+ (.+)|- \*\*(.+?)\*\*.*)$/gm)].map(([, heading, term]) =>
    (heading ?? term ?? '').toLowerCase(),
  )
  const named = title.toLowerCase()
  if (named.split(/,? (?:and|и) |, /).some((part) => isOneOrMany(part, sought))) return 0
  if (terms.includes(sought)) return 1
  if (named.startsWith(sought)) return 2
  if (words.every((word) => named.includes(word))) return 3
  return terms.some((term) => words.every((word) => term.split(/\s+/).includes(word))) ? 4 : 5
}

/** An ending, by which the singular and the plural of a word differ in both languages. */
const ENDING = /(?:e?s|[аеиоуыьяю])$/
const SHORTEST_STEM = 4

function isOneOrMany(title: string, sought: string): boolean {
  const stem = sought.replace(ENDING, '')
  return title === sought || (stem.length >= SHORTEST_STEM && title.replace(ENDING, '') === stem)
}

/**
 * The pages that contain all words: those with a heading or explained term that is the text first, then titles, then explained terms, then
 * the order of the contents. Without words, all pages.
 */
export function searchGuide(texts: GuideTexts, sought: string): FoundPage[] {
  const words = sought.toLowerCase().split(/\s+/).filter(Boolean)
  const phrase = words.join(' ')
  const found = GUIDE_PAGES.flatMap((page) => {
    const { title } = readGuide(texts[page])
    const text = plainText(texts[page])
    const lower = text.toLowerCase()
    const isOther = OTHER_WORDS[page]?.includes(phrase) === true
    if (!isOther && !words.every((word) => lower.includes(word))) return []
    const rank = words.length === 0 || isOther ? 0 : rankOf(texts[page], title, phrase, words)
    const excerpt = words.length === 0 ? '' : excerptOf(text, placeOf(lower, phrase, words, title.length))
    return [{ page, title, excerpt, rank }]
  })
  return Array.from({ length: RANKS }, (_, rank) => found.filter((one) => one.rank === rank))
    .flat()
    .map(({ page, title, excerpt }) => ({ page, title, excerpt }))
}

/** Whole words around a place. */
function excerptOf(text: string, place: number): string {
  const start = text.indexOf(' ', Math.max(0, place - EXCERPT_BEFORE)) + 1
  const from = place <= EXCERPT_BEFORE ? 0 : Math.min(start, place)
  const end = from + EXCERPT_LENGTH
  const to = end >= text.length ? text.length : text.lastIndexOf(' ', end)
  return `${from > 0 ? '…' : ''}${text.slice(from, to)}${to < text.length ? '…' : ''}`
}

/** Where the sought words stand: at the whole words if they occur after the title, else at the first letters found. */
function placeOf(text: string, phrase: string, words: readonly string[], from: number): number {
  const whole = [phrase, ...words].map((word) => text.slice(from).search(wholeWord(word))).find((at) => at >= 0)
  return whole === undefined ? text.indexOf(words[0] ?? '', from) : from + whole
}

const wholeWord = (text: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])${text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\p{L}\\p{N}])`, 'u')
