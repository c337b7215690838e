// Alerts of spend sheets whose latest parse of a month has warnings.
import { monthBefore } from '@tributary/contract/period'
import type { AlertSource } from './alert-source.ts'
import { listAddress } from './list-address.ts'

/** Months before the previous one are settled. */
const PARSES = `select p.title, g.partner_id as partner, to_char(g.spend_month, 'YYYY-MM') as month, g.id, g.warnings_count as warnings,
    to_char(g.parsed_at at time zone (select business_time_zone from setting), 'DD.MM.YYYY') as day
  from (select distinct on (partner_id, file_id, spend_month) * from google_parse_result
      where spend_month >= $2::date and ($1::int[] is null or partner_id = any($1))
      order by partner_id, file_id, spend_month, parsed_at desc, id desc) g
    join partner p on p.id = g.partner_id
  where g.status = 'warnings'`

interface Parse {
  title: string
  partner: number
  month: string
  id: number
  warnings: number
  day: string
}

export const sheetAlerts: AlertSource = async ({ partners }, today, { postgres: { pool } }) => {
  const since = `${monthBefore(today.slice(0, 7))}-01`
  const { rows } = await pool.query<Parse>(PARSES, [partners, since])
  return rows.map(({ title, partner, month, warnings, day }) => ({
    alert: 'sheet_warnings' as const,
    subject: `${partner} ${month}`,
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
  }))
}
