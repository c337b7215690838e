// The parameters of one statement. Values enter SQL only as typed placeholders from here; identifiers come only from the model.
import type { Period } from '@tributary/contract/period'
import type { Settings } from '../../clickhouse/statement.ts'
import { FIRST_DAY, LAST_DAY } from '../../facts/columns.ts'
import type { Selection } from './query.ts'

/** A value that ClickHouse takes as a typed parameter. */
export type ParamValue = string | number | bigint | readonly (string | number)[]

/** Collects the values of a statement and names their placeholders. A copy continues the numbering of `before`. */
export class Params {
  readonly values: Record<string, ParamValue>
  private count = 0

  constructor(before?: Params) {
    this.values = { ...before?.values }
    this.count = before?.count ?? 0
  }

  /** Adds a value and returns its placeholder. */
  bind(type: string, value: ParamValue): string {
    this.count += 1
    return this.bindAs(`p${this.count}`, type, value)
  }

  /** Adds a value under a name that several places share, and returns its placeholder. A different value gets a different name. */
  bindAs(name: string, type: string, value: ParamValue): string {
    const existing = this.values[name]
    if (existing !== undefined && String(existing) !== String(value)) return this.bindAs(`${name}_`, type, value)
    this.values[name] = value
    return `{${name}:${type}}`
  }
}

/** SQL with its parameters. */
export interface Statement {
  readonly sql: string
  readonly params: Readonly<Record<string, ParamValue>>
  readonly settings?: Settings
}

/** Builds the statement and adds the lists of countries if the SQL uses them. */
export function toStatement(sql: string, params: Params, { countries }: Pick<Selection, 'countries'>): Statement {
  if (sql.includes('{country_codes:')) {
    params.bindAs('country_codes', 'Array(String)', countries.codes)
    params.bindAs('country_ids', 'Array(UInt32)', countries.ids)
  }
  return { sql, params: params.values }
}

type Periods = Pick<Selection, 'first' | 'second'>

/** Every day that a fact can have. */
export const ALL_DAYS: Period = { from: FIRST_DAY, to: LAST_DAY }

/** The first period, and the second if there is one. */
export const periodsOf = ({ first, second }: Periods): readonly Period[] =>
  second === null ? [first] : [first, second]

/** For each period, the SQL that follows BETWEEN. */
export const periodEnds = (periods: Periods, params: Params): string[] =>
  periodsOf(periods).map(
    ({ from, to }, index) =>
      `${params.bindAs(`from${index + 1}`, 'Date', from)} and ${params.bindAs(`to${index + 1}`, 'Date', to)}`,
  )

/** The days of all periods, as a condition on `day`. All places of a statement share the placeholders of their ends. */
export function daysSql(periods: Periods, params: Params): string {
  const ends = periodEnds(periods, params).map((end) => `day between ${end}`)
  return ends.length === 1 ? ends.join('') : `(${ends.join(' or ')})`
}
