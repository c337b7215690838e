// Handlers of the spend table: its cells, totals spread over days, its file, and what is missing.
import type { Calls } from '@tributary/contract/calls/registry'
import type { SpendTable } from '@tributary/contract/calls/spend-table'
import type { Language } from '@tributary/contract/language'
import { isClaimant } from '@tributary/contract/spend-claim'
import type { Issue } from '@tributary/contract/validate'
import { say } from '@tributary/contract/words/messages'
import type { Person } from '../access/person.ts'
import { entityNamed } from '../entities/engine/model/model.ts'
import type { RequestContext } from '../entities/engine/model/request-context.ts'
import { readBusinessZone } from '../entities/engine/model/request-context.ts'
import { changeRecord, readEntity } from '../entities/engine/store.ts'
import { rejectEarlyMonth } from '../entities/rules/earliest-month.ts'
import { readLastEditors } from '../entities/spends/last-editors.ts'
import { findLeftSpends } from '../entities/spends/left-spends.ts'
import { findMissingDays } from '../entities/spends/missing-days.ts'
import { readTable } from '../entities/spends/read-table.ts'
import type { CellNote, SpendCell } from '../entities/spends/spend-cell.ts'
import { readStreams } from '../entities/spends/spend-month.ts'
import { spreadMonth } from '../entities/spends/spread-month.ts'
import { takeCells } from '../entities/spends/take-cells.ts'
import { AppError } from '../lib/app-error.ts'
import type { SheetRow } from '../lib/sheet.ts'
import { WORDS } from '../lib/words.ts'
import { readPartnersOf } from '../money/close.ts'
import { readUnallocatedMonth } from '../reports/kinds/unallocated-month.ts'
import type { Handler } from './handler.ts'

const PLAIN = { detailed: false }

/** A PARTNER uses none of these calls, whatever permissions are held. */
function rejectPartner({ role }: Person): void {
  if (role === 'PARTNER') throw new AppError('forbidden')
}

export function rejectClaimant(person: Person): void {
  if (isClaimant(person)) throw new AppError('forbidden')
}

/** Throws `not_found` unless the partner is visible. */
async function readPartner(context: RequestContext, id: number): Promise<{ id: number; title: string }> {
  const { title } = await readEntity(context, entityNamed('partner'), id, PLAIN)
  return { id, title: String(title) }
}

async function readMonth(context: RequestContext, query: { partner: string; month: string }): Promise<SpendTable> {
  const partner = await readPartner(context, Number(query.partner))
  await rejectEarlyMonth(context.engines.postgres.db, query.month)
  return readTable(context, partner, query.month)
}

export const readSpendTable: Handler<Calls['partner_spend_table']> = async ({ query, person, context }) => {
  rejectPartner(person)
  return readMonth(context, query)
}

/** Says why a cell was rejected, and names the person who changed it if that is known. */
function sayRejection(language: Language, { key, values }: Issue, who: string | undefined): string {
  const isChanged = key === 'spend_cell_changed' || key === 'spend_cell_emptied'
  return isChanged && who !== undefined ? say(language, `${key}_by`, { ...values, who }) : say(language, key, values)
}

const toWire = ({ stream, country, site, day }: SpendCell) => ({ stream, country, site_id: site, date: day })

const wordNotes = (notes: readonly CellNote[], language: Language) =>
  notes.map(({ place, issue: { key, values } }) => ({
    ...toWire(place),
    code: key,
    message: say(language, key, values),
  }))

export const updateSpendTable: Handler<Calls['partner_spend_update_table']> = async ({
  body: { partner, month, cells },
  person,
  context,
  language,
}) => {
  rejectClaimant(person)
  await readPartner(context, partner)
  const taken = await changeRecord(context, 'spend table', (db) => takeCells(db, context, partner, month, cells))
  const changed = taken.rejected.flatMap(({ changedId }) => changedId ?? [])
  const editors = await readLastEditors(context.engines.postgres.db, changed)
  return {
    saved: taken.saved,
    refused: taken.rejected.map(({ place, issue, current, changedId }) => ({
      ...toWire(place),
      code: current === undefined ? issue.key : 'stale',
      message: sayRejection(language, issue, editors.get(changedId ?? 0)),
      ...(current !== undefined && {
        current: {
          base: current?.active === true ? current.sum : null,
          source: current?.source ?? 'manual',
          version: current?.version ?? null,
          by: editors.get(changedId ?? 0) ?? null,
        },
      }),
    })),
    warnings: wordNotes(taken.warnings, language),
  }
}

export const spreadByPartner: Handler<Calls['partner_spend_update_by_partner']> = async ({
  body,
  person,
  context,
  language,
}) => {
  rejectClaimant(person)
  await readPartner(context, body.partner)
  const done = await changeRecord(context, 'spread spends', async (db) =>
    spreadMonth(db, context, [...(await readStreams(db, body.partner)).keys()], null, body),
  )
  return { ...done, warnings: wordNotes(done.warnings, language) }
}

export const spreadByStream: Handler<Calls['partner_spend_update_by_stream_and_country']> = async ({
  body,
  person,
  context,
  language,
}) => {
  rejectClaimant(person)
  await readEntity(context, entityNamed('partner_stream'), body.stream, PLAIN)
  const done = await changeRecord(context, 'spread spends', (db) =>
    spreadMonth(db, context, [body.stream], body.country, body),
  )
  return { ...done, warnings: wordNotes(done.warnings, language) }
}

async function readVisibleMembers(context: RequestContext, month: string, group: number): Promise<number[]> {
  const members = await readPartnersOf(context.engines.postgres.db, month, group)
  return members.flatMap(({ id }) => (context.partners === null || context.partners.includes(id) ? [id] : []))
}

/** Streams and countries listed; `days` counts those of all. */
const LISTED = 500

export const readMissingSpends: Handler<Calls['partner_spend_missing']> = async (
  { query, person, context, language, signal },
  services,
) => {
  rejectPartner(person)
  const partner = query.partner === undefined ? null : Number(query.partner)
  if (partner !== null) await readPartner(context, partner)
  const group = query.partner_group === undefined ? null : Number(query.partner_group)
  const members = partner === null && group !== null ? await readVisibleMembers(context, query.month, group) : null
  const partners = partner === null ? members : [partner]
  const viewer = { role: person.role, partners: members ?? context.partners, language }
  const [missing, unallocated, left] = await Promise.all([
    findMissingDays(context, partners, query.month),
    readUnallocatedMonth(query.month, partner, viewer, services, signal),
    findLeftSpends(context, partners),
  ])
  return {
    items: missing.slice(0, LISTED),
    days: missing.reduce((all, item) => all + item.days.length, 0),
    left: left.items,
    left_count: left.count,
    not_used_spend: [...unallocated.items],
    not_used_count: unallocated.count,
    not_used_total: unallocated.total,
    currency: unallocated.currency,
  }
}

export const exportSpendTable: Handler<Calls['partner_spend_table_export']> = async ({
  query,
  person,
  context,
  language,
}) => {
  rejectPartner(person)
  const table = await readMonth(context, query)
  const { db } = context.engines.postgres
  return {
    sheet: {
      title: `${table.partner.title} ${table.month}`,
      columns: [...headings(language), ...table.days].map((header, index) => ({
        header,
        kind: index < FIRST_DAY ? ('text' as const) : ('number' as const),
      })),
      batches: tableRows(table),
      total: null,
      zone: await readBusinessZone(db),
    },
    format: query.format ?? 'xlsx',
  }
}

const FIRST_DAY = 5

function headings(language: Language): string[] {
  const { fields } = WORDS[language].entities.partner_spend
  return [
    WORDS[language].entities.partner_budget.fields.partner,
    fields.stream,
    fields.country,
    fields.site_id,
    fields.currency,
  ]
}

/** A row for each currency of a place: its amounts share one column of text. */
async function* tableRows({ partner, rows }: SpendTable): AsyncGenerator<SheetRow[]> {
  for (const { stream, country, site_id, cells } of rows) {
    const currencies = new Set(cells.flatMap(({ base, currency }) => (base === null ? [] : [currency])))
    if (currencies.size === 0) currencies.add(cells[0]?.currency ?? '')
    yield [...currencies].map((currency) => [
      partner.title,
      stream.title,
      country.title,
      site_id,
      currency,
      ...cells.map((cell) => (cell.currency === currency ? cell.base : null)),
    ])
  }
}
