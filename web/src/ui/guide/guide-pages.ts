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
  readonly isTitle: boolean
}

const EXCERPT_BEFORE = 30
const EXCERPT_LENGTH = 110

/** The pages that contain all words: titles first, then the order of the contents. Without words, all pages. */
export function searchGuide(texts: GuideTexts, sought: string): FoundPage[] {
  const words = sought.toLowerCase().split(/\s+/).filter(Boolean)
  const found = GUIDE_PAGES.flatMap((page) => {
    const { title } = readGuide(texts[page])
    const text = plainText(texts[page])
    const lower = text.toLowerCase()
    if (!words.every((word) => lower.includes(word))) return []
    const isTitle = words.every((word) => title.toLowerCase().includes(word))
    const at = Math.max(0, lower.indexOf(words[0] ?? '', title.length) - EXCERPT_BEFORE)
    const excerpt = words.length === 0 ? '' : `${at > 0 ? '…' : ''}${text.slice(at, at + EXCERPT_LENGTH)}…`
    return [{ page, title, excerpt, isTitle }]
  })
  return [...found.filter(({ isTitle }) => isTitle), ...found.filter(({ isTitle }) => !isTitle)]
}
