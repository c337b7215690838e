// Merges several lines for one player and day into one entry, field by field: the last filled value counts. Amounts count only in the currency
// that counts, because an amount means nothing in another currency.

import type { PoolClient } from 'pg'
import { AMOUNTS } from './columns.ts'

const KEY = ['advertiser_id', 'outer_id', 'report_date'] as const
const FIGURES = ['deposits_count', ...AMOUNTS] as const
const OTHERS = ['registered_at', 'site_id', 'sub_id', 'promocode'] as const

/** Pairs of a text column and the column of its resolved id; both values come from the same line. */
const PAIRS = [
  { text: 'click_id', meaning: 'found_click' },
  { text: 'country', meaning: 'country_id' },
  { text: 'currency', meaning: 'currency_id' },
] as const

/** Selects lines with the same player and day, and the currency that counts. */
const REPEATED_LINE = `create temp table repeated_line on commit drop as
  select e.*, first_value(e.currency_id) over (partition by ${KEY.map((name) => `e.${name}`).join(', ')} order by e.currency_id is null, e.line desc) as counted_currency
  from entry e join (
    select ${KEY.join(', ')} from entry where advertiser_id is not null group by ${KEY.join(', ')} having count(*) > 1
  ) repeated using (${KEY.join(', ')})`

const last = (value: string, condition: string): string =>
  `(array_agg(${value} order by line desc) filter (where ${condition}))[1]`

const IS_COUNTED = '(currency_id is null or currency_id = counted_currency)'

const MERGED: Readonly<Record<string, string>> = {
  ...Object.fromEntries(KEY.map((name) => [name, name])),
  line: 'max(line)',
  ...Object.fromEntries([...OTHERS, 'advertiser'].map((name) => [name, last(name, `${name} is not null`)])),
  ...Object.fromEntries(FIGURES.map((name) => [name, last(name, `${name} is not null and ${IS_COUNTED}`)])),
  ...Object.fromEntries(
    PAIRS.flatMap(({ text, meaning }) => [text, meaning].map((name) => [name, last(name, `${text} is not null`)])),
  ),
}

const ADD_MERGED = `insert into entry (${Object.keys(MERGED).join(', ')})
  select ${Object.values(MERGED).join(', ')} from repeated_line group by ${KEY.join(', ')}`

/** Creates `repeated_line` and leaves one line per player and day in `entry`. Lines without an advertiser stay; they reject the report. */
export async function mergeRepeatedLines(client: PoolClient): Promise<void> {
  const { rowCount } = await client.query(REPEATED_LINE)
  if (rowCount === 0) return
  await client.query('delete from entry e using repeated_line r where e.line = r.line')
  await client.query(ADD_MERGED)
}

const OVERRULED = [
  ...[...OTHERS, ...FIGURES].map((column) => ({ column, differs: `r.${column} is distinct from e.${column}` })),
  ...PAIRS.map(({ text, meaning }) => ({
    column: text,
    differs: `coalesce(r.${meaning} <> e.${meaning}, lower(r.${text}) <> lower(e.${text}))`,
  })),
].map(({ column, differs }) => ({ column, condition: `(r.${column} is not null and ${differs})` }))

/** Selects values (`line`, `column_name`, `value`) that a later line replaced. Needs the merged entries. */
export const CONTRADICTIONS = `select r.line, c.column_name, c.value
  from repeated_line r join entry e using (${KEY.join(', ')})
    cross join lateral (values ${OVERRULED.map(({ column, condition }) => `('${column}', r.${column}::text, ${condition})`).join(', ')}) c (column_name, value, is_overruled)
  where c.is_overruled and (${OVERRULED.map(({ condition }) => condition).join(' or ')})`
