// Partners with a spend sheet each, served by the stand-in, and what the product makes of them.

import type { CellValue, GoogleSheetsServer, Spreadsheet } from '../../../demo/google-sheets-server.ts'
import type { Server } from '../../src/server.ts'
import { done, type Json, makeSpendGround, type SpendGround, unique } from '../support/entity-calls.ts'
import type { SignedIn } from '../support/sign-in.ts'

export const MONTH = '2026-03'
export const DAYS = [1, 2, 3, 4, 5].map((day) => `${MONTH}-0${day}`)

export const files: Record<string, Spreadsheet> = {}

/** Whoever looks at the sheets, filled by the test. */
export interface Bench {
  google: GoogleSheetsServer
  server: Server
  admin: SignedIn
}

export interface Sheet {
  readonly ground: SpendGround
  readonly file: string
  readonly membership: number
  readonly stream: string
  readonly country: string
  serve(rows: CellValue[][], more?: Partial<Spreadsheet>, title?: string): void
  /** A matrix with one row of the stream and country. */
  serveDays(...sums: CellValue[]): void
}

export async function makeSheet({ admin }: Pick<Bench, 'admin'>, days: readonly string[] = DAYS): Promise<Sheet> {
  const ground = await makeSpendGround(admin, days)
  // Sheets that name no currency are in the report currency.
  await done(admin, 'PUT', 'setting/1', { report_currency: ground.net.currency.id })
  const group = await done(admin, 'POST', 'partner_group', { title: unique('Group') })
  const file = unique('spreadsheet-of-partner-').replaceAll(/[^\w-]/g, '-')
  const { id } = await done(admin, 'POST', 'partner_partner_group', {
    partner: ground.net.partner.id,
    partner_group: group.id,
    spend_spreadsheet_id: `https://docs.google.com/spreadsheets/d/${file}/edit#gid=0`,
  })
  const [stream, country] = [String(ground.net.stream.title), String(ground.net.country.title)]
  const serve: Sheet['serve'] = (rows, changes = {}, title = '03.2026') => {
    files[file] = { title: 'Spends', locale: 'en_US', timeZone: 'UTC', tabs: [{ id: 4, title, rows }], ...changes }
  }
  return {
    ground,
    file,
    membership: Number(id),
    stream,
    country,
    serve,
    serveDays: (...sums) =>
      serve([
        ['Stream', 'Country', 1, 2, 3, 4, 5, 6],
        [stream, country, ...sums],
      ]),
  }
}

export async function until<T>(read: () => Promise<T | undefined>): Promise<T> {
  for (let attempt = 0; attempt < 600; attempt++) {
    const found = await read()
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('it did not happen')
}

const logs = async ({ admin }: Pick<Bench, 'admin'>, { file }: Sheet): Promise<Json[]> =>
  (await done(admin, 'GET', `google_parse_result?filter[file_id]=${file}`)).items as Json[]

/** Parses by hand, and returns the new row of the log. */
export async function parse(bench: Bench, sheet: Sheet, body: Record<string, unknown> = {}): Promise<Json> {
  const before = (await logs(bench, sheet)).length
  await done(bench.admin, 'POST', `partner_partner_group/${sheet.membership}/parse_sheet`, { month: MONTH, ...body })
  return until(async () => {
    const rows = await logs(bench, sheet)
    return rows.length > before ? rows.toSorted((a, b) => Number(a.id) - Number(b.id)).at(-1) : undefined
  })
}

/** 'day sum source' of the partner's spends. */
export async function spends({ server }: Pick<Bench, 'server'>, { ground }: Sheet): Promise<string[]> {
  const { rows } = await server.services.postgres.pool.query<{ told: string }>(
    `select extract(day from s.date) || ' ' || coalesce(round(s.sum, 2)::text, '-') || ' ' || s.source as told from partner_spend s
      join partner_stream t on t.id = s.stream_id where t.partner_id = $1 order by s.date, s.id`,
    [ground.net.partner.id],
  )
  return rows.map(({ told }) => told)
}

export const keysOf = (row: Json): string[] =>
  (row.warnings as { cell: string; key: string }[]).map(({ cell, key }) => `${cell} ${key}`)
