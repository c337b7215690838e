// What the palette offers for a text, as pure functions: screens, actions, and the records that the server found.
import { type AccessHolder, isAllowed, leadersOr } from '@tributary/contract/access'
import type { SearchAnswer, SearchItem, SearchKind } from '@tributary/contract/calls/search'
import { ENTITIES } from '@tributary/contract/entities/registry'
import type { Entity } from '@tributary/contract/entity'
import { inOtherLayout } from '@tributary/contract/keyboard-layout'
import { presetPeriod } from '@tributary/contract/period'
import { REPORT_SCREENS } from '@tributary/contract/reports/screen-address'
import { CREATE_HASH, recordPath } from '../entities/field/row-link.ts'
import type { Labels } from '../i18n/labels.ts'
import type { Dictionary } from '../i18n/shape.ts'
import { formatDateTime } from '../lib/date-format.ts'
import { joinTexts } from '../lib/isolate.ts'
import { businessZone } from '../state/profile-facts.ts'
import type { NavigationArea } from './navigation.ts'
import { type NamedPeriod, type PaletteText, wordsIn } from './palette-text.ts'
import { allowedErrors, errorsIn } from './typing-errors.ts'

export interface PaletteItem {
  /** Unique in the palette; recents are recognised by it. */
  readonly key: string
  readonly path: string
  readonly search?: Readonly<Record<string, unknown>>
  /** Fragment of the address. */
  readonly hash?: string
  readonly label: string
  readonly detail: string
  readonly kind: SearchKind | 'screen' | 'create' | 'report' | 'trace'
  readonly isInactive?: boolean
}

export interface PaletteSection {
  readonly title: string
  readonly items: readonly PaletteItem[]
}

const hasAllWords = (text: string, words: readonly string[]): boolean => {
  const lower = text.toLowerCase()
  return words.every((word) => lower.includes(word))
}

export function findScreens(areas: readonly NavigationArea[], typed: string): PaletteItem[] {
  const words = wordsIn(typed)
  const screens = areas.flatMap(({ label: area, items }) =>
    items
      .flatMap((item) => [item, ...item.views])
      .map(({ path, label }): PaletteItem => ({ key: path, path, label, detail: area, kind: 'screen' })),
  )
  if (words.length === 0) return screens
  const isFound = ({ label, detail, path }: PaletteItem, sought: readonly string[]) =>
    hasAllWords(`${label} ${detail} ${path}`, sought)
  return findByWords(screens, words, isFound)
}

/** Items by their words, else by the keys of the words in another keyboard layout, else with typing errors. */
function findByWords(
  items: readonly PaletteItem[],
  words: readonly string[],
  isFound: (item: PaletteItem, words: readonly string[]) => boolean,
): PaletteItem[] {
  const exact = items.filter((item) => isFound(item, words))
  if (exact.length > 0) return byLabel(exact, words)
  const other = inOtherLayout(words.join(' '))
  const byKeys = other === null ? [] : items.filter((item) => isFound(item, wordsIn(other)))
  return byKeys.length > 0 ? byKeys : nearest(items, words)
}

/** The item that is named by the words first, then those whose names begin with them. */
function byLabel(items: readonly PaletteItem[], words: readonly string[]): PaletteItem[] {
  const text = words.join(' ')
  const rank = ({ label }: PaletteItem) => {
    const own = label.toLowerCase()
    return own === text ? 0 : own.startsWith(text) ? 1 : 2
  }
  return items.toSorted((a, b) => rank(a) - rank(b))
}

/** Items whose labels have all words with typing errors, those with the fewest errors first. */
function nearest(items: readonly PaletteItem[], words: readonly string[]): PaletteItem[] {
  const errorsOf = (word: string, label: string) => {
    const errors = Math.min(...wordsIn(label).map((own) => errorsIn(own, word)))
    return errors <= allowedErrors(word) ? errors : Number.POSITIVE_INFINITY
  }
  return items
    .map((item) => ({ item, errors: words.reduce((sum, word) => sum + errorsOf(word, item.label), 0) }))
    .filter(({ errors }) => Number.isFinite(errors))
    .sort((a, b) => a.errors - b.errors)
    .map(({ item }) => item)
}

/** Forms of new records that the person may open. `verbs` are the words for creating, none of which needs to be in a label: 'create offer'. */
export function findCreations(holder: AccessHolder, labels: Labels, typed: string, verbs: string): PaletteItem[] {
  const all = wordsIn(typed)
  const others = all.filter((word) => !verbs.split(' ').includes(word))
  const words = others.length > 0 ? others : all
  if (words.length === 0) return []
  const items = (Object.entries(ENTITIES) as [keyof typeof ENTITIES, Entity][]).flatMap(
    ([name, { route, access, createsInModal, form }]): PaletteItem[] => {
      if (route === null || form.length === 0 || !isAllowed(access.create, holder)) return []
      const key = `${route}/create`
      const place = createsInModal === true ? { path: route, hash: CREATE_HASH } : { path: key }
      return [{ key, ...place, label: labels.create(name), detail: labels.title(name), kind: 'create' }]
    },
  )
  return findByWords(items, words, ({ label }, sought) => hasAllWords(label, sought))
}

function asRecord(kind: SearchKind, item: SearchItem, labels: Labels): PaletteItem {
  const { id, title, active, matched } = item
  const found =
    matched === null || kind === 'click' || matched.field === 'id'
      ? null
      : `${labels.field(kind, matched.field)}: ${matched.value}`
  const base = {
    key: `${kind} ${id}`,
    label: title === '' ? `#${id}` : title,
    detail: joinTexts(
      [found, kind === 'click' ? formatDateTime(item.detail, businessZone()) : item.detail].flatMap(
        (part) => part ?? [],
      ),
    ),
    kind,
    isInactive: !active,
  }
  return kind === 'click'
    ? { ...base, path: '/trace', search: { id: String(id) } }
    : { ...base, path: recordPath(kind, id) ?? '' }
}

export const findRecords = ({ groups }: SearchAnswer, words: Dictionary['palette'], labels: Labels): PaletteSection[] =>
  groups.map(({ kind, items }) => ({
    title: words.kinds[kind],
    items: items.map((item) => asRecord(kind, item, labels)),
  }))

const REPORT_FILTERS = { partner: 'partners', offer: 'offers', advertiser: 'advertisers' } as const
const SUBJECTS_CAP = 2

/** What can be done with the best partners, offers and advertisers that were found. */
export function findActions(
  { groups }: SearchAnswer,
  { verb, period }: PaletteText,
  today: string,
  holder: AccessHolder,
  words: Dictionary['palette'],
): PaletteItem[] {
  const fill = (text: string, title: string) => text.replace('{{title}}', title)
  return groups.flatMap(({ kind, items }) =>
    items.slice(0, verb === null ? 1 : SUBJECTS_CAP).flatMap(({ id, title }): PaletteItem[] => {
      const actions: PaletteItem[] = []
      const mayAdd = isAllowed(ENTITIES.offer_partner.access.create, holder)
      if ((kind === 'partner' || kind === 'offer') && mayAdd && verb !== 'report') {
        const path = `${ENTITIES.offer_partner.route}/create`
        const label = fill(words.newPartnerOffer, title)
        actions.push({ key: `${path} ${kind} ${id}`, path, search: { [kind]: id }, label, detail: '', kind: 'create' })
      }
      if (
        (kind === 'partner' || kind === 'offer' || kind === 'advertiser') &&
        verb !== 'create' &&
        isAllowed(REPORT_ACCESS, holder)
      ) {
        const path = REPORT_SCREENS.general_report
        const search = {
          by: kind === 'offer' ? 'partner' : 'offer',
          ...presetPeriod(period ?? 'current_month', today),
          [REPORT_FILTERS[kind]]: [id],
        }
        actions.push({
          key: `report ${kind} ${id}${period === null ? '' : ` ${period}`}`,
          path,
          search,
          label: fill(words.reportOf, title).replace('{{period}}', periodName(words, period ?? 'current_month')),
          detail: '',
          kind: 'report',
        })
      }
      return actions
    }),
  )
}

const REPORT_ACCESS = leadersOr('general_report')

/** The first of the phrases that name a period. */
const periodName = ({ periods }: Dictionary['palette'], period: NamedPeriod): string =>
  periods[period].split('|')[0] ?? ''

/** The general report of the period that the text names beside no record: 'last month', 'report last month', 'general report, last month'. */
export function findPeriodReport(
  { text, verb, period }: PaletteText,
  today: string,
  holder: AccessHolder,
  words: Dictionary,
): PaletteItem[] {
  const title = words.screens['general-report'].title
  const isAlone = verb === null || text === '' || hasAllWords(title, wordsIn(text))
  if (period === null || !isAlone || !isAllowed(REPORT_ACCESS, holder)) return []
  return [
    {
      key: `report ${period}`,
      path: REPORT_SCREENS.general_report,
      search: { ...presetPeriod(period, today) },
      label: words.palette.reportIn
        .replace('{{title}}', title)
        .replace('{{period}}', periodName(words.palette, period)),
      detail: '',
      kind: 'report',
    },
  ]
}

const SHORTEST_ID = 3

/** Offers to trace any text that may be an ID. */
export function offerTrace(typed: string, label: string): PaletteItem[] {
  const id = typed.trim()
  if (id.length < SHORTEST_ID || /\s/.test(id)) return []
  return [{ key: `trace ${id}`, path: '/trace', search: { id }, label, detail: '', kind: 'trace' }]
}

const RECENTS_CAP = 8

/** The opened item first, without its earlier mention. */
export const addRecent = (recents: readonly PaletteItem[], item: PaletteItem): PaletteItem[] =>
  [item, ...recents.filter(({ key }) => key !== item.key)].slice(0, RECENTS_CAP)
