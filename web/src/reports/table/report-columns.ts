// Columns of a report from its metrics: label, unit, formula, unreliable numbers. With a second period each shows its change or has a twin.
import type { RoleKind } from '@tributary/contract/access'
import { FORMULA_PREFIX, type FormulaKey } from '@tributary/contract/reports/column-name'
import { metricsIn, parseFormula } from '@tributary/contract/reports/formula'
import type { MetricKey, Metrics, PartlyReported, ReportRow } from '@tributary/contract/reports/general'
import type { ReportFormula } from '@tributary/contract/reports/saved'
import {
  type DimensionName,
  isMetric,
  isVisibleTo,
  METRIC_NAMES,
  type MetricName,
  metricOf,
  restsOnIncome,
} from '@tributary/contract/reports/traffic'
import type { ReportWords } from '../../i18n/shape.ts'
import { formatCount, formatMoney } from '../../lib/number-format.ts'
import { type Change, type IncomeState, type PivotColumn, textColumn } from './pivot-column.ts'

export interface Formula<P extends string> {
  readonly sum: { readonly plus: readonly P[]; readonly minus?: readonly P[] }
  readonly over?: { readonly plus: readonly P[]; readonly minus?: readonly P[] }
  readonly times?: number
}

/** Describes a metric's formula in words: summed and subtracted terms, divisor, factor. Derived from the declaration, so they agree. */
export function describeFormula<P extends string>(formula: Formula<P>, words: Readonly<Record<P, string>>): string {
  const top = describeSum(formula.sum, words)
  if (formula.over === undefined) return top.text
  const below = describeSum(formula.over, words)
  const ratio = `${wrap(top)} ÷ ${wrap(below)}`
  return formula.times === undefined ? ratio : `${ratio} × ${formula.times}`
}

function describeSum<P extends string>(
  { plus, minus = [] }: Formula<P>['sum'],
  words: Readonly<Record<P, string>>,
): { text: string; terms: number } {
  const taken = minus.map((part) => words[part])
  const subtrahend = taken.length > 1 ? `(${taken.join(' + ')})` : taken.join('')
  const added = plus.map((part) => words[part]).join(' + ')
  return {
    text: taken.length === 0 ? added : `${added} − ${subtrahend}`,
    terms: plus.length + minus.length,
  }
}

const wrap = ({ text, terms }: { text: string; terms: number }) => (terms > 1 ? `(${text})` : text)

const unitWord = (unit: 'count' | 'money' | 'percent', currency: string): string =>
  unit === 'money' ? currency : unit === 'percent' ? '%' : ''

interface ColumnContext {
  readonly words: ReportWords
  readonly currency: string
}

type Numbers = PartlyReported & { readonly m: Metrics }

/** What is known of the income behind a number of the row. A number that rests on unknown income is null. */
export function incomeState({ m, partial }: Numbers, suffix: '' | '_2' = ''): IncomeState | null {
  if (partial?.includes(`income${suffix}`) !== true) return null
  return m[`income${suffix}`] == null ? 'unknown' : 'partial'
}

/** A column of a metric; `numbersOf` finds the metrics of a row. */
export const metricColumn = <R>(
  metric: MetricName,
  { words, currency }: ColumnContext,
  numbersOf: (row: R) => Numbers,
  key: MetricKey = metric,
): PivotColumn<R> => ({
  key,
  label: words.metrics[metric],
  hint: unitWord(metricOf(metric).unit, currency),
  explain: describeFormula(metricOf(metric), words.parts),
  text: (row) => formatNumber(metric, numbersOf(row).m[key]),
  ...(restsOnIncome(metric) && { income: (row) => incomeState(numbersOf(row), key === metric ? '' : '_2') }),
})

/** Columns of a flat report by name: metrics of the general report and the team's formulas. */
export const flatColumns = <R extends Numbers>(
  names: readonly string[],
  formulas: readonly ReportFormula[],
  facts: ColumnContext,
): PivotColumn<R>[] =>
  names.flatMap((name): PivotColumn<R>[] =>
    isMetric(name)
      ? [metricColumn<R>(name, facts, (row) => row)]
      : namedColumns([name], formulas, { ...facts, secondPeriod: null, writtenBy: (owner) => owner }),
  )

/** A ratio over fewer events than this is greyed. */
const SMALL_SAMPLE = 10
/** Metrics for which smaller is better. */
const COSTS: readonly MetricName[] = ['s', 'cfd']
export const isUpGood = (metric: MetricName): boolean => !COSTS.includes(metric)

export const metricsFor = (role: RoleKind, names: readonly MetricName[] = METRIC_NAMES): MetricName[] =>
  names.filter((name) => isVisibleTo(metricOf(name), role))

interface PeriodColumnContext extends ColumnContext {
  /** The second period in words; null if there is none. */
  readonly secondPeriod: string | null
  /** Describes a number of the second period. Absent: the second period has columns of its own. */
  readonly describeFormer?: (value: string) => string
  /** What is compared where income is partial. */
  readonly reported?: ReportedPart | null
}

/** Both periods up to the last day whose income is reported. */
export interface ReportedPart {
  /** The row with the numbers of that part; undefined if it has no such row. */
  of(row: ReportRow): ReportRow | undefined
  /** Describes a number and the former one. */
  describe(now: string, former: string): string
}

const PERCENT_CAP = 1000
/** A former number below this share of the present one is hardly any. */
const HARDLY_ANY = 0.01

/** Null if one of the numbers is missing, or both are zero. Across zero there is a direction, and no share. */
export function changeBetween(
  now: number | null | undefined,
  before: number | null | undefined,
): Omit<Change, 'was'> | null {
  if (now == null || before == null) return null
  if (now === before) return now === 0 ? null : { direction: null, text: '0 %' }
  const direction = now > before ? 'up' : 'down'
  if (before * now < 0) return { direction, text: '' }
  if (Math.abs(before) < Math.abs(now) * HARDLY_ANY) return { direction, text: '', isNew: true }
  const percent = (Math.abs(now - before) / Math.abs(before)) * 100
  if (percent >= PERCENT_CAP) return { direction, text: `>${PERCENT_CAP} %` }
  const shown = percent.toFixed(1)
  return Number(shown) === 0 ? { direction: null, text: '0 %' } : { direction, text: `${shown} %` }
}

/** What a column shows of the second period: in the same column, or as an arrow beside a column of its own. Partial income is compared up to the last reported day. */
function comparison(
  key: string,
  text: (value: number) => string | null,
  hasIncome: boolean,
  { secondPeriod, describeFormer, reported }: PeriodColumnContext,
): Pick<PivotColumn<ReportRow>, 'former' | 'direction' | 'change'> {
  if (secondPeriod === null) return {}
  const formerKey = `${key}_2` as MetricKey
  const former = (row: ReportRow) => row.m[formerKey] ?? null
  const isPartial = (row: ReportRow) => incomeState(row) !== null || incomeState(row, '_2') !== null
  /** The row whose numbers are compared; undefined if none can be. */
  const compared = (row: ReportRow): ReportRow | undefined => {
    const found = hasIncome && isPartial(row) ? reported?.of(row) : row
    return found === undefined || (hasIncome && isPartial(found)) ? undefined : found
  }
  const between = (row: ReportRow | undefined) =>
    row === undefined ? null : changeBetween(row.m[key as MetricKey], former(row))
  if (describeFormer === undefined) return { former, direction: (row) => between(compared(row))?.direction ?? null }
  return {
    former,
    change: (row) => {
      const own = compared(row)
      const change = between(own)
      if (own === undefined || change === null) return null
      const was = text(former(own) ?? 0) ?? ''
      const isWhole = own === row
      return {
        ...change,
        was:
          isWhole || !reported ? describeFormer(was) : reported.describe(text(own.m[key as MetricKey] ?? 0) ?? '', was),
      }
    },
  }
}

export type ReportColumn = PivotColumn<ReportRow> & { readonly key: MetricKey }

/** The name of a column: a metric or a formula. */
export type ColumnName = MetricName | `${typeof FORMULA_PREFIX}${number}`

export const formulaColumnName = ({ id }: Pick<ReportFormula, 'id'>): ColumnName => `${FORMULA_PREFIX}${id}`

/** Columns in the order of the names, each followed by its twin; deleted formulas are omitted. */
export function namedColumns(
  names: readonly string[],
  formulas: readonly ReportFormula[],
  facts: PeriodColumnContext & { readonly writtenBy: (owner: string) => string },
): PivotColumn<ReportRow>[] {
  return names.flatMap((name): PivotColumn<ReportRow>[] => {
    if (isMetric(name)) return columnsOf([name], facts)
    const formula = formulas.find((known) => formulaColumnName(known) === name)
    return formula === undefined ? [] : formulaColumns(formula, facts)
  })
}

function formulaColumns(
  formula: ReportFormula,
  facts: PeriodColumnContext & { readonly writtenBy: (owner: string) => string },
): PivotColumn<ReportRow>[] {
  const { currency, secondPeriod, writtenBy } = facts
  const unit = unitWord(formula.unit, currency)
  const { node } = parseFormula(formula.expression)
  const hasIncome = node !== null && metricsIn(node).some(restsOnIncome)
  const make = (suffix: '' | '_2'): PivotColumn<ReportRow> => {
    const key: FormulaKey = `${FORMULA_PREFIX}${formula.id}${suffix}`
    const number = (row: ReportRow) => row.m[key] ?? null
    return {
      ...(suffix === '' && comparison(key, formatMoney, hasIncome, facts)),
      key,
      label: formula.title,
      hint: [unit, suffix === '' ? '' : secondPeriod].filter(Boolean).join(' · '),
      explain: [formula.expression, writtenBy(formula.owner.title)].filter(Boolean).join('\n'),
      isSecondary: suffix !== '',
      number,
      text: (row) => formatMoney(number(row)),
      ...(hasIncome && { income: (row) => incomeState(row, suffix) }),
    }
  }
  return hasTwins(facts) ? [make(''), make('_2')] : [make('')]
}

const hasTwins = ({ secondPeriod, describeFormer }: PeriodColumnContext) =>
  secondPeriod !== null && describeFormer === undefined

export function columnsOf(metrics: readonly MetricName[], facts: PeriodColumnContext): ReportColumn[] {
  return metrics.flatMap((metric) => {
    const first = columnOf(metric, metric, facts)
    return hasTwins(facts) ? [first, columnOf(metric, `${metric}_2`, facts)] : [first]
  })
}

const GROUP_KEYS = ['sg', 'tg', 'fg'] as const

/** Text columns of a flat report: its groups after the first. */
export function groupColumns(levels: readonly DimensionName[], words: ReportWords): PivotColumn<ReportRow>[] {
  return levels.slice(1).flatMap((level, at) => {
    const key = GROUP_KEYS[at]
    return key === undefined
      ? []
      : [textColumn(key, words.dimensions[level], (row: ReportRow) => row[key]?.title ?? null)]
  })
}

function columnOf(metric: MetricName, key: MetricKey, facts: PeriodColumnContext): ReportColumn {
  const isSecondary = key !== metric
  const column = metricColumn<ReportRow>(metric, facts, (row) => row, key)
  return {
    ...column,
    key,
    hint: [column.hint, isSecondary ? facts.secondPeriod : ''].filter(Boolean).join(' · '),
    isSecondary,
    number: (row) => row.m[key] ?? null,
    isFaint: faintness(metric, isSecondary),
    ...(!isSecondary && comparison(metric, (value) => formatNumber(metric, value), restsOnIncome(metric), facts)),
    isUpGood: isUpGood(metric),
  }
}

export function formatNumber(metric: MetricName, value: number | null | undefined): string | null {
  return metricOf(metric).unit === 'count' ? formatCount(value) : formatMoney(value)
}

/** Greys a ratio by the number of events in its divisor, if the report has it. */
function faintness(metric: MetricName, isSecond: boolean): (row: ReportRow) => boolean {
  const divisor = metricOf(metric).madeOf?.[1]
  if (divisor === undefined || !isMetric(divisor) || metricOf(divisor).unit !== 'count') return () => false
  const key: MetricKey = isSecond ? `${divisor}_2` : divisor
  return (row) => (row.m[key] ?? 0) < SMALL_SAMPLE
}
