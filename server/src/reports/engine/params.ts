// The values of one statement. A value gets into SQL only here, as a typed placeholder; identifiers come from the model alone.
import type { Period } from '@tributary/contract/period'
import type { Settings } from '../../clickhouse/statement.ts'
import { FIRST_DAY, LAST_DAY } from '../../facts/columns.ts'
import type { Selection } from './query.ts'

export type ParamValue = string | number | bigint | readonly (string | number)[]

export class Params {
  readonly values: Record<string, ParamValue>
  private count = 0

  constructor(before?: Params) {
    this.values = { ...before?.values }
    this.count = before?.count ?? 0
  }

  /** The placeholder of a value. */
  bind(type: string, value: ParamValue): string {
    this.count += 1
    return this.named(`p${this.count}`, type, value)
  }

  /** The placeholder of a value that several places name. Another value of the same name gets its own name. */
  named(name: string, type: string, value: ParamValue): string {
    const known = this.values[name]
    if (known !== undefined && String(known) !== String(value)) return this.named(`${name}_`, type, value)
    this.values[name] = value
    return `{${name}:${type}}`
  }
}

export interface Statement {
  readonly sql: string
  readonly params: Readonly<Record<string, ParamValue>>
  readonly settings?: Settings
}

/** Adds the lists of countries where the SQL names them. */
export function toStatement(sql: string, params: Params, { countries }: Pick<Selection, 'countries'>): Statement {
  if (sql.includes('{country_codes:')) {
    params.named('country_codes', 'Array(String)', countries.codes)
    params.named('country_ids', 'Array(UInt32)', countries.ids)
  }
  return { sql, params: params.values }
}

// The days of a query, as SQL. Every place in a statement names their ends by the same placeholders.

type Periods = Pick<Selection, 'first' | 'second'>

/** Every day that a fact can be of. */
export const EVER: Period = { from: FIRST_DAY, to: LAST_DAY }

export const periodsOf = ({ first, second }: Periods): readonly Period[] =>
  second === null ? [first] : [first, second]

/** For each period: what stands after BETWEEN. */
export const periodEnds = (periods: Periods, params: Params): string[] =>
  periodsOf(periods).map(
    ({ from, to }, index) =>
      `${params.named(`from${index + 1}`, 'Date', from)} and ${params.named(`to${index + 1}`, 'Date', to)}`,
  )

/** The days of all periods, as a condition on `day`. */
export function daysSql(periods: Periods, params: Params): string {
  const ends = periodEnds(periods, params).map((end) => `day between ${end}`)
  return ends.length === 1 ? ends.join('') : `(${ends.join(' or ')})`
}
