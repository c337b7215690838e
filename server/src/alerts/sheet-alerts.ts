// Alerts of spend sheets whose latest parse of a month has warnings: one a partner and month. A file that is not read any more counts no longer.
import { monthBefore } from '@tributary/contract/period'
import { spreadsheetIdOf } from '@tributary/contract/spreadsheet-id'
import { readAssignedFiles } from '../integrations/sheets/assigned-files.ts'
import type { AlertSource } from './alert-source.ts'
import { listAddress } from './list-address.ts'

/** The latest parse of each file and month. Months before the previous one are settled. */
const PARSES = `select p.title, g.partner_id as partner, g.file_id as file, to_char(g.spend_month, 'YYYY-MM') as month, g.warnings_count as warnings,
    to_char(g.parsed_at at time zone (select business_time_zone from setting), 'DD.MM.YYYY') as day
  from (select distinct on (partner_id, file_id, spend_month) * from google_parse_result
      where spend_month >= $2::date and ($1::int[] is null or partner_id = any($1))
      order by partner_id, file_id, spend_month, parsed_at desc, id desc) g
    join partner p on p.id = g.partner_id
  where g.status = 'warnings'
  order by g.parsed_at desc, g.id desc`

interface Parse {
  title: string
  partner: number
  file: string
  month: string
  warnings: number
  day: string
}

export const sheetAlerts: AlertSource = async ({ partners }, today, { postgres: { pool, db } }) => {
  const since = `${monthBefore(today.slice(0, 7))}-01`
  const { rows } = await pool.query<Parse>(PARSES, [partners, since])
  if (rows.length === 0) return []
  const assigned = new Set(
    (await readAssignedFiles(db)).map(({ partner, file }) => `${partner} ${spreadsheetIdOf(file) ?? file}`),
  )
  const read = rows.filter(({ partner, file }) => assigned.has(`${partner} ${file}`))
  return [...Map.groupBy(read, ({ partner, month }) => `${partner} ${month}`)].flatMap(([subject, parses]) => {
    const [latest] = parses
    if (latest === undefined) return []
    const { title, partner, month, day } = latest
    const warnings = parses.reduce((sum, parse) => sum + parse.warnings, 0)
    return {
      alert: 'sheet_warnings' as const,
      subject,
      facts: String(warnings),
      title: `${title} · ${month.split('-').reverse().join('.')}`,
      values: { warnings, day },
      about: [{ entity: 'partner' as const, id: partner }],
      address: listAddress('google_parse_result', {
        '[partner][in]': String(partner),
        '[spend_month]': `${month}-01`,
        '[status][in]': 'warnings',
      }),
      weight: warnings,
    }
  })
}
