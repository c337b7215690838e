// Spend sheets of a dozen demo partners, as partners keep them: two layouts, merged cells, totals, and the usual dirt. They say what the record
// says, with some later corrections.

import { DEFAULT_ZONE, today } from '@tributary/contract/period'
import type { Postgres } from '../server/src/postgres/client.ts'
import type { CellValue, FileOf, MergedRange, ServedTab, Spreadsheet } from './google-sheets-server.ts'

const PARTNERS = 12
const FILE = 'demo-spends-of-partner-'

interface SpendRow {
  readonly stream: string
  readonly country: string
  readonly site: string | null
  readonly date: string
  readonly sum: number
  readonly source: string
}

/** Gives the agencies that have spent most lately a spreadsheet each. What somebody has set is left alone. */
export async function assignSheets({ pool }: Pick<Postgres, 'pool'>): Promise<void> {
  await pool.query(
    `update partner_partner_group m set spend_spreadsheet_id = '${FILE}' || m.partner_id
      where m.spend_spreadsheet_id is null and m.id in (
        select min(g.id) from partner_partner_group g join partner_stream t on t.partner_id = g.partner_id
          join partner_spend s on s.stream_id = t.id join partner p on p.id = g.partner_id and p.spend_spreadsheet_id is null
        where s.date >= current_date - 62 and s.site_id is not null
        group by g.partner_id order by sum(s.sum) desc limit ${PARTNERS})
      and (select count(*) from partner_partner_group where spend_spreadsheet_id like '${FILE}%') < ${PARTNERS}`,
  )
}

/** Files are made when they are first asked for, and stay as they are until the server stops. */
export function openSheets({ pool }: Pick<Postgres, 'pool'>): FileOf {
  const files = new Map<string, Promise<Spreadsheet | undefined>>()
  return (id) => {
    const partner = id.startsWith(FILE) ? Number(id.slice(FILE.length)) : Number.NaN
    if (!Number.isInteger(partner)) return undefined
    const file = files.get(id) ?? makeFile(pool, partner)
    files.set(id, file)
    return file
  }
}

/** Spends of the record, and a price for each player of the days that the record does not have yet. */
const SPENDS = `with zone as (select business_time_zone as name from setting),
    brought as (
      select l.stream_id, o.country_id, l.site_id, (p.registered_at at time zone zone.name)::date as date, count(*) * 12.5 as sum
      from player p join offer_partner l on l.id = p.offer_partner_id join offer f on f.id = l.offer_id
        join payment_model m on m.id = f.payment_model_id and m.type = 'AGENCY'
        join advertiser_country o on o.id = f.advertiser_country_id join partner_stream t on t.id = l.stream_id, zone
      where t.partner_id = $1 and p.registered_at >= date_trunc('month', current_date) - interval '1 month'
      group by 1, 2, 3, 4),
    spent as (
      select s.stream_id, s.country_id, s.site_id, s.date, s.sum, s.source
      from partner_spend s join partner_stream t on t.id = s.stream_id
      where t.partner_id = $1 and s.sum is not null and s.site_id is not null
        and s.date >= date_trunc('month', current_date) - interval '1 month'
      union all
      select b.*, 'sheet' from brought b
      where not exists (select from partner_spend s where s.stream_id = b.stream_id and s.country_id = b.country_id and s.date = b.date))
  select t.title as stream, c.title as country, s.site_id as site, s.date, s.sum::float as sum, s.source
  from spent s join partner_stream t on t.id = s.stream_id join country c on c.id = s.country_id
  order by t.title, c.title, s.site_id, s.date`

async function makeFile(pool: Postgres['pool'], partner: number): Promise<Spreadsheet | undefined> {
  const { rows: partners } = await pool.query<{ title: string; place: number }>(
    `select p.title, (select count(*) from partner_partner_group m where m.spend_spreadsheet_id like '${FILE}%' and m.partner_id < p.id)::int as place
      from partner p where p.id = $1`,
    [partner],
  )
  const [found] = partners
  if (found === undefined) return undefined
  const { rows } = await pool.query<SpendRow>(SPENDS, [partner])
  const months = [...new Set([thisMonth(), ...rows.map(({ date }) => date.slice(0, 7))])].sort()
  const isLedger = found.place % 2 === 1
  return {
    title: `${found.title}: spends`,
    locale: found.place % 3 === 0 ? 'ru_RU' : 'en_US',
    timeZone: 'Europe/Kyiv',
    // The last of them has forgotten to share it.
    isShared: found.place !== PARTNERS - 1,
    tabs: isLedger
      ? [{ id: 0, title: 'Spends', rows: makeLedger(rows) }, ABOUT]
      : [...months.map((month, index) => makeMatrix(rows, month, found.place, index)), ABOUT],
  }
}

const ABOUT: ServedTab = { id: 999, title: 'Read me', rows: [['Ask Olena before you change anything']] }
const thisMonth = (): string => today(DEFAULT_ZONE).slice(0, 7)
const NAMES = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

/** What the partner says: sums of the sheet, some rounded up later; of what was entered by hand, now and then another one. */
function saidOf({ sum, source }: SpendRow, place: number): CellValue {
  if (source !== 'sheet') return place % 9 === 0 ? Math.ceil(sum) + 1 : ''
  if (place % 7 === 0) return Math.ceil(sum / 5) * 5
  return place % 11 === 0 ? sum.toFixed(2).replace('.', ',') : sum
}

function makeMatrix(all: readonly SpendRow[], month: string, place: number, index: number): ServedTab {
  const [year, number] = month.split('-') as [string, string]
  const days = new Date(Date.UTC(Number(year), Number(number), 0)).getUTCDate()
  const titles = [`${number}.${year}`, month, `${NAMES[Number(number) - 1]} ${year}`]
  const heading = (day: number): CellValue => (place % 4 === 2 ? `${String(day).padStart(2, '0')}.${number}` : day)
  const rows: CellValue[][] = [
    ['Spend of the team, EUR'],
    [],
    ['Stream', 'Country', 'Site', ...Array.from({ length: days }, (_, day) => heading(day + 1)), 'Total'],
  ]
  const merges: MergedRange[] = []
  const ofMonth = all.filter(({ date }) => date.startsWith(month))
  const lines = Map.groupBy(ofMonth, ({ stream, country, site }) => [stream, country, site].join('\u0000'))
  let above = ''
  for (const line of lines.values()) {
    const { stream = '', country = '', site = null } = line[0] ?? {}
    const row: CellValue[] = [
      stream === above ? '' : stream,
      country,
      site ?? '',
      ...Array.from({ length: days + 1 }, () => ''),
    ]
    for (const spend of line)
      row[2 + Number(spend.date.slice(8))] = saidOf(spend, rows.length + Number(spend.date.slice(8)))
    if (stream === above) extend(merges, rows.length)
    above = stream
    row[days + 3] = line.reduce((total, { sum }) => total + Math.round(sum * 100), 0) / 100
    rows.push(row)
  }
  soil(rows, days)
  rows.push(['Итого', '', '', ...Array.from({ length: days }, () => 0)])
  return { id: index, title: titles[place % titles.length] ?? month, rows, merges }
}

/** One more row for the merged cell of the stream. */
function extend(merges: MergedRange[], row: number): void {
  const last = merges.at(-1)
  if (last?.endRow === row) merges[merges.length - 1] = { ...last, endRow: row + 1 }
  else merges.push({ startRow: row - 1, endRow: row + 1, startColumn: 0, endColumn: 1 })
}

/** What happens to sheets that many people edit. */
function soil(rows: CellValue[][], days: number): void {
  const [first, second] = [rows[3], rows[4]]
  if (first !== undefined) first[3] = '#REF!'
  if (second !== undefined) second[4] = 'ask Max'
  rows.push(['Test stream (old)', 'Poland', '', ...Array.from({ length: days }, (_, day) => (day === 2 ? 15 : ''))])
  if (first !== undefined) rows.push([first[0] ?? '', 'Narnia', '', 20])
}

function makeLedger(all: readonly SpendRow[]): CellValue[][] {
  const lines = all.flatMap((spend, place): CellValue[][] => {
    const said = saidOf(spend, place)
    const [year = '', month = '', day = ''] = spend.date.split('-')
    const date = place % 5 === 0 ? `${day}.${month}.${year}` : serialOf(spend.date)
    return said === '' ? [] : [[date, spend.stream, spend.country, spend.site ?? '', said, 'EUR', '']]
  })
  const last = lines.at(-1)
  const today = serialOf(new Date().toISOString().slice(0, 10))
  return [
    ['Дата', 'Поток', 'Гео', 'Сайт', 'Сумма', 'Валюта', 'Комментарий'],
    ...lines,
    ...(last === undefined ? [] : [[...last.slice(0, 6), 'twice by mistake']]),
    [today, last?.[1] ?? '', last?.[2] ?? '', '', -40, 'EUR', 'refund'],
    [today, last?.[1] ?? '', last?.[2] ?? '', '', 25, 'BTC', ''],
    ['yesterday', last?.[1] ?? '', last?.[2] ?? '', '', 30, 'EUR', ''],
    ['Итого', '', '', '', lines.length],
  ]
}

const serialOf = (date: string): number => Math.round((Date.parse(date) - Date.parse('1899-12-30')) / 86_400_000)
