// Formulas: what they accept, what they reject and at which character, and how they are evaluated.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { evaluateFormula, type FormulaNode, isMadeOf, metricsIn, parseFormula } from '../reports/formula.ts'
import { METRIC_NAMES, type METRICS, type MetricName } from '../reports/traffic.ts'

type ColumnMetric = {
  [M in MetricName]: (typeof METRICS)[M] extends { isElsewhere: true } ? never : M
}[MetricName]
/** Every metric, so that a new one is not missing from a ratio. Null: missing or hidden. */
const NUMBERS: Readonly<Record<ColumnMetric, number | null>> = {
  cc: 1000,
  uc: 400,
  click_reg: 10,
  cr: 40,
  nd: 8,
  reg_dep: 20,
  deposits: 20,
  deposits_amount: 500,
  first_day_amount: 200,
  first_amount: null,
  bets: 90,
  avg_bet: 30,
  avg_check: null,
  avg_new_check: 20,
  income: 700.5,
  s: 200,
  profit: 500.5,
  cfd: 25,
  roi: 250.25,
}
const numbers = (name: MetricName) => (name in NUMBERS ? NUMBERS[name as ColumnMetric] : undefined)
const work = (text: string, unit: 'count' | 'money' | 'percent' = 'money') => {
  const { node, error } = parseFormula(text)
  return node === null ? `${error.problem} ${error.at}` : evaluateFormula(node, unit, numbers)
}

describe('formula columns', () => {
  test.each([
    ['income - s', 500.5],
    ['(income − s) ÷ nd', 62.56],
    ['income - s / nd', 675.5],
    ['-s + 1', -199],
    ['2 * 3 + 4 * 5', 26],
    ['10 - 4 - 3', 3],
    ['100 / 10 / 5', 2],
    ['--3', 3],
    ['.5 × 3', 1.5],
    ['ROI', 250.25],
    ['profit / nd', 62.56],
    ['cfd * nd', 200],
    ['avg_bet', 30],
  ])('%s = %d [REP-14]', (text, value) => expect(work(text)).toBe(value))

  test('a percentage is computed as a fraction and shown in hundredths [REP-14]', () => {
    expect(work('nd / uc', 'percent')).toBe(2)
    expect(work('0.012345', 'percent')).toBe(1.23)
    expect(work('1.005')).toBe(1.01)
    expect(work('0 - 1.005')).toBe(-1.01)
  })

  test('a ratio inside a formula is computed from its sums, not from its shown value [REP-14]', () => {
    const { node } = parseFormula('cfd * 3')
    const thirds = (name: MetricName) => ({ s: 10, nd: 3, cfd: 3.33 })[name as 's' | 'nd' | 'cfd']
    expect(node && evaluateFormula(node, 'money', thirds)).toBe(10)
  })

  test('a metric that no report with formulas has is unknown; one that a report lacks evaluates to null there [REP-14]', () => {
    for (const name of ['size', 'players', 'retention', 'cohort_check'])
      expect(work(`1 + ${name}`)).toBe('unknown_name 4')
    expect(isMadeOf('s / ql', ['ql', 's'])).toBe(true)
    expect(isMadeOf('s / ql', ['s', 'cc'])).toBe(false)
    expect(isMadeOf('s /', ['s'])).toBe(false)
  })

  test('a division by zero and a missing or hidden metric evaluate to null [REP-14]', () => {
    for (const text of ['s / 0', 's / (nd - 8)', 'first_amount + 1', '1 / avg_check * 0 / 0'])
      expect([text, work(text)]).toEqual([text, null])
  })

  test.each([
    ['', 'empty 0'],
    ['   ', 'empty 0'],
    ['income +', 'unfinished 8'],
    ['(s', 'unfinished 2'],
    ['s)', 'unexpected 1'],
    ['s s', 'unexpected 2'],
    ['luck * 2', 'unknown_name 0'],
    ['s + constructor', 'unknown_name 4'],
    ['s; drop', 'unexpected 1'],
    ['s ** 2', 'unexpected 3'],
    ['1e5', 'unexpected 1'],
    [`${'('.repeat(60)}s${')'.repeat(60)}`, 'too_deep 50'],
    ['s+'.repeat(300), 'too_long 500'],
  ])('%j is rejected: %s [REP-14]', (text, problem) => expect(work(text)).toBe(problem))

  test('nested formulas evaluate like the expression that was written [REP-14]', () => {
    const node: fc.Arbitrary<FormulaNode> = fc.letrec<{ node: FormulaNode }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 5, withCrossShrink: true },
        fc.nat(99).map((value): FormulaNode => ({ kind: 'number', value })),
        fc.constantFrom(...METRIC_NAMES).map((name): FormulaNode => ({ kind: 'metric', name })),
        tie('node').map((of): FormulaNode => ({ kind: 'minus', of })),
        fc
          .tuple(fc.constantFrom('+', '-', '*', '/'), tie('node'), tie('node'))
          .map(([operator, left, right]): FormulaNode => ({ kind: 'binary', operator, left, right })),
      ),
    })).node
    const write = (one: FormulaNode): string =>
      one.kind === 'number'
        ? String(one.value)
        : one.kind === 'metric'
          ? one.name
          : one.kind === 'minus'
            ? `-(${write(one.of)})`
            : `(${write(one.left)} ${one.operator} ${write(one.right)})`
    fc.assert(
      fc.property(node, (one) => {
        const parsed = parseFormula(write(one))
        if (parsed.error?.problem === 'too_long' || parsed.error?.problem === 'too_deep') return
        expect(parsed.node).toEqual(one)
        expect(new Set(metricsIn(one)).size).toBe(metricsIn(one).length)
        const value = evaluateFormula(one, 'money', numbers)
        expect(value === null || Number.isFinite(value)).toBe(true)
      }),
    )
  })

  test('no text makes the parser throw [REP-14]', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const { node, error } = parseFormula(text)
        expect((node === null) !== (error === null)).toBe(true)
      }),
    )
  })
})
