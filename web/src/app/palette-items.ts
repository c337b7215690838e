// What the palette offers for a text, as pure functions: screens, actions, and the records that the server found.
import { type AccessHolder, isAllowed, leadersOr } from '@tributary/contract/access'
import type { SearchAnswer, SearchItem, SearchKind } from '@tributary/contract/calls/search'
import { ENTITIES } from '@tributary/contract/entities/registry'
import type { Entity } from '@tributary/contract/entity'
import { presetPeriod } from '@tributary/contract/period'
import { REPORT_SCREENS } from '@tributary/contract/reports/screen-address'
import { recordPath } from '../entities/field/row-link.tsx'
import type { Labels } from '../i18n/labels.ts'
import type { Dictionary } from '../i18n/shape.ts'
import { formatDateTime } from '../lib/date-format.ts'
import { joinTexts } from '../lib/isolate.ts'
import { businessZone } from '../state/profile-facts.ts'
import type { NavigationArea } from './navigation.ts'

export interface PaletteItem {
  /** Unique in the palette; recents are recognised by it. */
  readonly key: string
  readonly path: string
  readonly search?: Readonly<Record<string, unknown>>
  readonly label: string
  readonly detail: string
  readonly kind: SearchKind | 'screen' | 'create' | 'report' | 'trace'
  readonly isInactive?: boolean
}

export interface PaletteSection {
  readonly title: string
  readonly items: readonly PaletteItem[]
}

export interface PaletteText {
  /** What is searched for, without a leading verb. */
  readonly text: string
  readonly verb: 'create' | 'report' | null
}

const wordsIn = (text: string): string[] => text.trim().toLowerCase().split(/\s+/).filter(Boolean)

/** Longer texts name no record. */
export const QUERY_MAX = 255

type ActionWords = Pick<Dictionary['palette'], 'verbs' | 'newPartnerOffer' | 'reportOf'>

/** Without the punctuation around it. */
const bareWord = (word: string): string => word.toLowerCase().replace(/^\p{P}+|\p{P}+$/gu, '')

/** The words of an action's label before and after the title. */
const aroundTitle = (label: string): [before: string[], after: string[]] => {
  const [before = '', after = ''] = label.split('{{title}}')
  const bare = (text: string) => wordsIn(text).map(bareWord).filter(Boolean)
  return [bare(before), bare(after)]
}

/** True for a form of the word: Russian ones differ in their ends. */
const isFormOf = (own: string, typed: string): boolean => own === typed || isNear(own, typed)

/**
 * 'new northwind' asks for a new record of what 'northwind' finds, as does the label of the action itself, its words before or after the name:
 * 'new partner offer for northwind', 'northwind new partner offer'.
 */
export function readPaletteText(typed: string, { verbs, newPartnerOffer, reportOf }: ActionWords): PaletteText {
  const given = typed.trim().split(/\s+/)
  const whole = { text: given.join(' '), verb: null }
  const [first = '', ...rest] = given
  const isVerbOf = (words: string, word: string) => words.split(' ').includes(bareWord(word))
  const isVerb = (words: string) => isVerbOf(words, first)
  const [ofCreation] = aroundTitle(newPartnerOffer)
  const [, period] = aroundTitle(reportOf)
  const isWithPeriod =
    given.length > period.length && period.every((word, at) => bareWord(given.at(at - period.length) ?? '') === word)
  const withoutPeriod = (words: readonly string[]) => (isWithPeriod ? words.slice(0, -period.length) : [...words])
  const told = (words: readonly string[]) => words.join(' ').replace(/[,:]+$/, '')
  const isBefore = (word: string) => verbs.before.split(' ').includes(bareWord(word))
  const isOfCreation = (word: string) => isBefore(word) || ofCreation.some((own) => isFormOf(own, bareWord(word)))
  if (isVerb(verbs.create)) {
    const at = rest.findIndex((word) => !isOfCreation(word))
    return rest.length === 0 ? whole : { text: told(at === -1 ? rest : rest.slice(at)), verb: 'create' }
  }
  const verbAt = given.findIndex((word, at) => at > 0 && isVerbOf(verbs.create, word))
  if (verbAt > 0 && verbAt < given.length - 1 && given.slice(verbAt + 1).every(isOfCreation))
    return { text: told(given.slice(0, verbAt)), verb: 'create' }
  if (isVerb(verbs.report) && withoutPeriod(rest).length > 0) {
    const named = withoutPeriod(rest)
    const at = named.findIndex((word) => !isBefore(word))
    return { text: told(at === -1 ? named : named.slice(at)), verb: 'report' }
  }
  return isWithPeriod ? { text: told(withoutPeriod(given)), verb: 'report' } : whole
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
  const exact = screens.filter(({ label, detail, path }) => hasAllWords(`${label} ${detail} ${path}`, words))
  const first = words[0]
  if (exact.length > 0 || first === undefined) return exact
  return screens.filter(({ label }) => words.every((word) => wordsIn(label).some((own) => isNear(own, word))))
}

/** True for a word that begins like another with one letter wrong, missing, added or exchanged with its neighbour. */
export function isNear(own: string, typed: string): boolean {
  if (typed.length < 4) return false
  let at = 0
  while (at < typed.length && own[at] === typed[at]) at++
  const [left, rest] = [own.slice(at), typed.slice(at)]
  if (rest === '') return true
  const swapped = `${left[1] ?? ''}${left[0] ?? ''}${left.slice(2)}`
  return (
    left.slice(1).startsWith(rest.slice(1)) ||
    left.slice(1).startsWith(rest) ||
    left.startsWith(rest.slice(1)) ||
    swapped.startsWith(rest)
  )
}

/** Forms of new records that the person may open. */
export function findCreations(holder: AccessHolder, labels: Labels, typed: string): PaletteItem[] {
  const words = wordsIn(typed)
  if (words.length === 0) return []
  return (Object.entries(ENTITIES) as [keyof typeof ENTITIES, Entity][]).flatMap(
    ([name, { route, access, createsInModal, form }]) => {
      if (route === null || createsInModal === true || form.length === 0 || !isAllowed(access.create, holder)) return []
      const label = labels.create(name)
      if (!hasAllWords(label, words)) return []
      return [
        { key: `${route}/create`, path: `${route}/create`, label, detail: labels.title(name), kind: 'create' as const },
      ]
    },
  )
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
  { verb }: PaletteText,
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
          ...presetPeriod('current_month', today),
          [REPORT_FILTERS[kind]]: [id],
        }
        actions.push({
          key: `report ${kind} ${id}`,
          path,
          search,
          label: fill(words.reportOf, title),
          detail: '',
          kind: 'report',
        })
      }
      return actions
    }),
  )
}

const REPORT_ACCESS = leadersOr('general_report')
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
