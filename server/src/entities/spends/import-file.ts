// Compares a file of spends with the record, and writes what differs. A sum by hand goes before one of an import, and that before one of a sheet.

import { IMPORT_LISTED, type SpendImport } from '@tributary/contract/calls/spend-import'
import { partnerSpend } from '@tributary/contract/entities/partner-spend'
import type { Language } from '@tributary/contract/language'
import { earlierDay, laterDay, type Period } from '@tributary/contract/period'
import type { Issue } from '@tributary/contract/validate'
import { say } from '@tributary/contract/words/messages'
import { invalidField } from '../../lib/app-error.ts'
import { remember } from '../../lib/remember.ts'
import { withoutGuard } from '../../lib/sheet.ts'
import { type Db, type RequestContext, readBusinessZone } from '../engine/model/request-context.ts'
import { changeRecord } from '../engine/store.ts'
import { waitForClose } from '../rules/closed-period.ts'
import { CellMap } from './cell-map.ts'
import { readFileNames } from './file-names.ts'
import { address, type FileRow } from './import-layout.ts'
import type { ReadTab } from './import-messages.ts'
import { describeLock, type Ground, judgeCell, needsActivity, readGround } from './judge-cell.ts'
import { indexByOffer, SpendsByOffer } from './other-site.ts'
import { readSpendFile } from './read-file.ts'
import { settleSum } from './settle-sum.ts'
import type { SpendCell } from './spend-cell.ts'
import { acceptedCurrency, isSameAmount, type PlaceCurrencies, readCurrencies, showSum } from './spend-month.ts'
import { keyOfCell, keyOfPlace, type SpendPlace } from './spend-offer-partners.ts'
import { type ChangedSpend, type NewSpend, readSpends, type StoredSpend, writeSpends } from './spend-rows.ts'

interface ImportedSum extends SpendCell {
  readonly sum: string
  readonly currency: number | null
  /** The number of the file, if `sum` is less exact. */
  readonly rounded: string | undefined
  readonly line: number
  /** The place of its column. */
  readonly column: number
}

const addressOf = ({ column, line }: Pick<ImportedSum, 'column' | 'line'>): string => address(column, line)

/** A row of the file with empty cells. */
interface ImportedRow extends SpendPlace, Pick<FileRow, 'line' | 'empty'> {}

interface FileContent {
  readonly sums: readonly ImportedSum[]
  readonly rows: readonly ImportedRow[]
}

export interface SpendFile {
  readonly path: string
  /** As the user has named it. */
  readonly name: string
  /** Takes streams of this partner only; null: of all visible ones. */
  readonly partner: number | null
  /** 'YYYY-MM' of columns headed 1, 2, …; null: the file names its days whole. */
  readonly month: string | null
  /** Equal sums of a sheet stay those of the sheet. */
  readonly onlyChanges: boolean
}

export type ImportOutcome = Omit<SpendImport, 'import'>

const NOTHING = { new: 0, changed: 0, taken_over: 0, equal: 0 }

/** Throws `invalid` if the file cannot be read; nothing is written then. `isDryRun` writes nothing. */
export async function importSpendFile(
  context: RequestContext,
  file: SpendFile,
  isDryRun: boolean,
  language: Language,
  signal: AbortSignal,
): Promise<ImportOutcome> {
  const notes = new Notes(language)
  const { tab, ...content } = await readContent(context, file, notes, signal)
  const { sums } = content
  const tabs = { tab: tab.tab, other_tabs: [...tab.otherTabs] }
  const { db } = context.engines.postgres
  const streams = streamsOf(content)
  const period = periodOf(content)
  if (period === null) return { ...notes.answer(), ...tabs, done: !isDryRun, ...NOTHING }
  const compare = async (trx: Db, isLocked: boolean) => {
    const spends = await readSpends(trx, streams, period, isLocked)
    const ground = await readGround(trx, context.engines, streams, period)
    const currencies = await readCurrencies(trx, streams, period)
    return compareContent(content, spends, {
      ground,
      currencies,
      notes: notes.copy(),
      isDryRun,
      onlyChanges: file.onlyChanges,
    })
  }
  if (isDryRun) return { ...toOutcome(await compare(db, false), false), ...tabs }
  return changeRecord(context, 'import spends', async (trx) => {
    await waitForClose(trx)
    const comparison = await compare(trx, true)
    const { added, changed, notes: all } = comparison
    const filled = new Set(
      (await writeSpends(trx, context, { source: 'import', added, changed, removed: [], released: [] })).map(keyOfCell),
    )
    for (const sum of filled.size === 0 ? [] : sums)
      if (filled.has(keyOfCell(sum))) all.reject(addressOf(sum), { key: 'stale' })
    return { ...toOutcome({ ...comparison, addedTotal: comparison.addedTotal - filled.size }, true), ...tabs }
  })
}

const toOutcome = (
  { addedTotal, changed, takenOver, equal, notes }: Comparison,
  done: boolean,
): Omit<ImportOutcome, 'tab' | 'other_tabs'> => ({
  ...notes.answer(),
  done,
  new: addedTotal,
  changed: changed.length,
  taken_over: takenOver,
  equal,
})

/** What has known names; of sums each place and day once. */
async function readContent(
  context: RequestContext,
  { partner, ...file }: SpendFile,
  notes: Notes,
  signal: AbortSignal,
): Promise<FileContent & { readonly tab: ReadTab }> {
  const { db } = context.engines.postgres
  const names = await readFileNames(db, context, partner)
  const sums: ImportedSum[] = []
  const rows: ImportedRow[] = []
  const first = new CellMap<ImportedSum>()
  const days = new Map<string, string>()
  let isEmpty = true
  let tab: ReadTab = { tab: null, otherTabs: [] }
  const onTab = (read: ReadTab): void => {
    tab = read
  }
  for await (const cells of readSpendFile({ ...file, zone: await readBusinessZone(db) }, signal, onTab)) {
    for (const cell of cells) {
      if ('empty' in cell) {
        const found = names.find(cell)
        if ('stream' in found)
          rows.push({
            stream: found.stream,
            country: found.country,
            site: withoutGuard(cell.site) || null,
            line: cell.line,
            empty: cell.empty,
          })
        continue
      }
      isEmpty = false
      if ('key' in cell) {
        const { key, values, isWarning } = cell
        const issue = values === undefined ? { key } : { key, values }
        if (isWarning) notes.warn(cell.cell, issue)
        else notes.reject(cell.cell, issue)
        continue
      }
      const found = names.find(cell)
      if ('key' in found) {
        notes.reject(address(found.column, cell.line), { key: found.key })
        continue
      }
      const sum: ImportedSum = {
        ...found,
        site: withoutGuard(cell.site) || null,
        // One text for each day, not for each sum.
        day: remember(days, cell.date, () => cell.date),
        sum: cell.sum,
        rounded: cell.rounded,
        line: cell.line,
        column: cell.column,
      }
      const earlier = first.get(sum)
      if (earlier === undefined) {
        first.set(sum, sum)
        sums.push(sum)
      } else notes.reject(addressOf(sum), { key: 'spend_repeated_cell', values: { first: addressOf(earlier) } })
    }
  }
  if (isEmpty) throw invalidField('file', 'spend_import_empty')
  return { sums, rows, tab }
}

function streamsOf({ sums, rows }: FileContent): number[] {
  const streams = new Set<number>()
  for (const { stream } of sums) streams.add(stream)
  for (const { stream } of rows) streams.add(stream)
  return [...streams]
}

/** From the first to the last day of the file; null without a sum. */
function periodOf({ sums, rows }: FileContent): Period | null {
  const [first] = sums
  if (first === undefined) return null
  let [from, to] = [first.day, first.day]
  const extend = (day: string): void => {
    from = earlierDay(from, day)
    to = laterDay(to, day)
  }
  for (const { day } of sums) extend(day)
  for (const { empty } of rows) for (const [, day] of empty) extend(day)
  return { from, to }
}

interface Comparison {
  /** Empty in a dry run, which counts them only. */
  readonly added: readonly NewSpend[]
  readonly addedTotal: number
  /** With the kind of the change: a claim without an accepted sum becomes a new one. */
  readonly changed: readonly ChangedSpend[]
  /** How many of `changed` keep their sum. */
  readonly takenOver: number
  readonly equal: number
  readonly notes: Notes
}

interface Comparing {
  readonly ground: Ground
  readonly currencies: PlaceCurrencies
  readonly notes: Notes
  readonly isDryRun: boolean
  readonly onlyChanges: boolean
}

function compareContent(
  { sums, rows }: FileContent,
  spends: readonly StoredSpend[],
  { ground, currencies, notes, isDryRun, onlyChanges }: Comparing,
): Comparison {
  const stored = CellMap.of(spends)
  const byOffer = indexByOffer(spends, ground)
  const earlier = new SpendsByOffer<ImportedSum>()
  // Sums without any site repeat no day under another one.
  const hasSites = sums.some(({ site }) => site !== null)
  const added: NewSpend[] = []
  const changed: ChangedSpend[] = []
  let addedTotal = 0
  let takenOver = 0
  let equal = 0
  for (const imported of sums) {
    const own = stored.get(imported)
    const offer = ground.offerPartners.find(imported, own?.offerPartner ?? null)?.id
    const spend = own?.sum == null && offer !== undefined ? (byOffer.other(imported, offer) ?? own) : own
    const first = offer === undefined || !hasSites ? undefined : earlier.other(imported, offer)
    if (first !== undefined) {
      notes.reject(addressOf(imported), { key: 'spend_repeated_site', values: { first: addressOf(first) } })
      continue
    }
    if (offer !== undefined && hasSites) earlier.add(imported, offer)
    const currency = imported.currency ?? acceptedCurrency(spend) ?? currencies.of(imported)
    const hasSum = spend?.active === true && spend.sum !== null
    const given = { sum: imported.sum, currency }
    const isHeld = hasSum && isSameAmount(spend, given)
    const isRaised = needsActivity(spend, given)
    const { offerPartner, lock } = judgeCell(ground, imported, spend?.offerPartner ?? null, isRaised)
    // An equal sum of a sheet becomes the import's, except where nothing can change.
    if (isHeld && (spend.source !== 'sheet' || lock !== null)) {
      equal += 1
      continue
    }
    if (hasSum && spend.source === 'manual') {
      notes.reject(addressOf(imported), {
        key: 'spend_kept_manual',
        values: {
          sum: showSum(imported.sum, currencies.valueOf(currency)),
          before: showSum(spend.sum, currencies.valueOf(spend.currency)),
        },
      })
      continue
    }
    if (lock !== null || offerPartner === undefined) {
      notes.reject(addressOf(imported), describeLock(lock ?? 'spend_link_missing', offerPartner, imported, ground))
      continue
    }
    const accepted = { sum: imported.sum, currency, offerPartner: offerPartner.id, source: 'import' } as const
    const settled = spend && settleSum(spend, accepted, currencies)
    if (settled?.isSourceOnly === true && onlyChanges) {
      equal += 1
      continue
    }
    if (imported.rounded !== undefined)
      notes.warn(addressOf(imported), roundedIssue(imported.rounded, showSum(imported.sum, '')))
    if (settled === undefined) {
      addedTotal += 1
      if (isDryRun) continue
      const { stream, country, site, day } = imported
      added.push({ stream, country, site, day, sum: imported.sum, currency, offerPartner: offerPartner.id })
      continue
    }
    if (settled.isSourceOnly) takenOver += 1
    if (settled.change !== null) changed.push(settled.change)
    for (const warning of settled.warnings) notes.warn(addressOf(imported), warning)
  }
  warnOfKept(rows, spends, sums, currencies, notes)
  return { added, addedTotal, changed, takenOver, equal, notes }
}

/** Sums whose cell the file leaves empty: an import deletes nothing. */
function warnOfKept(
  rows: readonly ImportedRow[],
  spends: readonly StoredSpend[],
  sums: readonly ImportedSum[],
  currencies: PlaceCurrencies,
  notes: Notes,
): void {
  if (rows.length === 0) return
  const given = CellMap.of(sums)
  const byPlace = Map.groupBy(rows, keyOfPlace)
  for (const spend of spends) {
    if (!spend.active || spend.sum === null || given.has(spend)) continue
    for (const { line, empty } of byPlace.get(keyOfPlace(spend)) ?? []) {
      const column = empty.find(([, day]) => day === spend.day)?.[0]
      if (column === undefined) continue
      const sum = showSum(spend.sum, currencies.valueOf(spend.currency))
      notes.warn(address(column, line), { key: 'spend_cell_kept', values: { sum } })
    }
  }
}

const roundedIssue = (given: string, sum: string): Issue => ({
  key: 'spend_sum_rounded',
  values: { given, sum, scale: partnerSpend.fields.sum.scale },
})

type Note = SpendImport['refused'][number]

const lineOf = ({ cell }: Note): number => Number(cell.replace(/\D/g, ''))
const byLine = (a: Note, b: Note): number => lineOf(a) - lineOf(b)

/** Rejected cells and warnings in words; the first are listed, all are counted. */
class Notes {
  readonly #language: Language
  readonly #rejected: Note[] = []
  readonly #warnings: Note[] = []
  #rejectedTotal = 0
  #warningsTotal = 0

  constructor(language: Language) {
    this.#language = language
  }

  #note(cell: string, { key, values }: Issue): Note {
    return { cell, code: key === 'period_closed_by' ? 'period_closed' : key, message: say(this.#language, key, values) }
  }

  reject(cell: string, issue: Issue): void {
    this.#rejectedTotal += 1
    if (this.#rejected.length < IMPORT_LISTED) this.#rejected.push(this.#note(cell, issue))
  }

  warn(cell: string, issue: Issue): void {
    this.#warningsTotal += 1
    if (this.#warnings.length < IMPORT_LISTED) this.#warnings.push(this.#note(cell, issue))
  }

  /** A transaction that is repeated starts from the same notes. */
  copy(): Notes {
    const copy = new Notes(this.#language)
    copy.#rejected.push(...this.#rejected)
    copy.#warnings.push(...this.#warnings)
    copy.#rejectedTotal = this.#rejectedTotal
    copy.#warningsTotal = this.#warningsTotal
    return copy
  }

  answer(): Pick<SpendImport, 'refused' | 'refused_total' | 'warnings' | 'warnings_total'> {
    return {
      refused: this.#rejected.toSorted(byLine),
      refused_total: this.#rejectedTotal,
      warnings: this.#warnings.toSorted(byLine),
      warnings_total: this.#warningsTotal,
    }
  }
}
