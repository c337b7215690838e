// Parses and evaluates formulas: metrics that users define from others with + − × ÷ and brackets. A formula is never run as code. A ratio inside
// a formula is derived from its unrounded sums.
import { COST_METRICS } from './choices.ts'
import { type ComponentName, METRIC_NAMES, type MetricName, metricOf, type Sum } from './traffic.ts'

export const FORMULA_UNITS = ['count', 'money', 'percent'] as const
export type FormulaUnit = (typeof FORMULA_UNITS)[number]
export const FORMULA_MAX = 500

/** Metrics that a formula may use: those of all reports except cohorts. */
const FORMULA_METRICS: readonly MetricName[] = [...new Set([...METRIC_NAMES, ...COST_METRICS])]

/** A node of a parsed formula. */
export type FormulaNode =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'metric'; readonly name: MetricName }
  | { readonly kind: 'minus'; readonly of: FormulaNode }
  | {
      readonly kind: 'binary'
      readonly operator: '+' | '-' | '*' | '/'
      readonly left: FormulaNode
      readonly right: FormulaNode
    }

/** Why a text is no formula. */
export type FormulaProblem = 'empty' | 'too_long' | 'too_deep' | 'unknown_name' | 'unexpected' | 'unfinished'

/** `at` is the index of the first wrong character. */
export interface FormulaError {
  readonly problem: FormulaProblem
  readonly at: number
  readonly text: string
}

/** The tree of a valid formula, or the first problem of an invalid one. */
export type ParsedFormula =
  | { readonly node: FormulaNode; readonly error: null }
  | { readonly node: null; readonly error: FormulaError }

interface Token {
  readonly kind: 'number' | 'name' | 'sign' | 'end'
  readonly text: string
  readonly at: number
}

const TOKEN = /\s*(?:(\d+(?:\.\d+)?|\.\d+)|([a-z_][a-z0-9_]*)|([-+*/()×÷−]))/iy
const SIGNS: Readonly<Record<string, string>> = { '×': '*', '÷': '/', '−': '-' }
const MAX_DEPTH = 50

class FormulaFailure extends Error {
  readonly error: FormulaError
  constructor(error: FormulaError) {
    super(error.problem)
    this.error = error
  }
}

/** Parses a formula into its tree, or into the first error. Never throws. */
export function parseFormula(text: string): ParsedFormula {
  try {
    if (text.length > FORMULA_MAX) throw new FormulaFailure({ problem: 'too_long', at: FORMULA_MAX, text: '' })
    const tokens = tokenize(text)
    if (tokens[0]?.kind === 'end') throw new FormulaFailure({ problem: 'empty', at: 0, text: '' })
    return { node: new Parser(tokens).readWhole(), error: null }
  } catch (error) {
    if (error instanceof FormulaFailure) return { node: null, error: error.error }
    throw error
  }
}

function tokenize(text: string): Token[] {
  const tokens: Token[] = []
  let at = 0
  while (text.slice(at).trim() !== '') {
    TOKEN.lastIndex = at
    const match = TOKEN.exec(text)
    const [whole = '', number, name, sign] = match ?? []
    const start = at + text.slice(at).search(/\S/)
    if (match === null) throw new FormulaFailure({ problem: 'unexpected', at: start, text: text.charAt(start) })
    at += whole.length
    if (number !== undefined) tokens.push({ kind: 'number', text: number, at: start })
    else if (name !== undefined) tokens.push({ kind: 'name', text: name, at: start })
    else if (sign !== undefined) tokens.push({ kind: 'sign', text: SIGNS[sign] ?? sign, at: start })
  }
  return [...tokens, { kind: 'end', text: '', at: text.length }]
}

const END: Token = { kind: 'end', text: '', at: 0 }

/** Recursive descent parser: a sum of products of signed atoms, one method for each. */
class Parser {
  private readonly tokens: readonly Token[]
  private place = 0
  private depth = 0

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens
  }

  readWhole(): FormulaNode {
    const node = this.readSum()
    const rest = this.next()
    if (rest.kind !== 'end') throw this.wrong('unexpected', rest)
    return node
  }

  private readSum(): FormulaNode {
    let node = this.readProduct()
    for (let sign = this.take('+', '-'); sign !== null; sign = this.take('+', '-'))
      node = { kind: 'binary', operator: sign, left: node, right: this.readProduct() }
    return node
  }

  private readProduct(): FormulaNode {
    let node = this.readAtom()
    for (let sign = this.take('*', '/'); sign !== null; sign = this.take('*', '/'))
      node = { kind: 'binary', operator: sign, left: node, right: this.readAtom() }
    return node
  }

  private readAtom(): FormulaNode {
    this.depth += 1
    const token = this.next()
    if (this.depth > MAX_DEPTH) throw this.wrong('too_deep', token)
    const node = this.readOne(token)
    this.depth -= 1
    return node
  }

  private readOne(token: Token): FormulaNode {
    if (token.kind === 'number') return { kind: 'number', value: Number(token.text) }
    if (token.kind === 'name') {
      const name = token.text.toLowerCase()
      const metric = FORMULA_METRICS.find((known) => known === name)
      if (metric === undefined) throw this.wrong('unknown_name', token)
      return { kind: 'metric', name: metric }
    }
    if (token.text === '-') return { kind: 'minus', of: this.readAtom() }
    if (token.text !== '(') throw this.wrong(token.kind === 'end' ? 'unfinished' : 'unexpected', token)
    const node = this.readSum()
    const close = this.next()
    if (close.text !== ')') throw this.wrong(close.kind === 'end' ? 'unfinished' : 'unexpected', close)
    return node
  }

  private next(): Token {
    const token = this.tokens[this.place] ?? END
    this.place += 1
    return token
  }

  private take<S extends '+' | '-' | '*' | '/'>(...signs: readonly S[]): S | null {
    const token = this.tokens[this.place]
    const sign = token?.kind === 'sign' ? signs.find((known) => known === token.text) : undefined
    if (sign === undefined) return null
    this.place += 1
    return sign
  }

  private wrong(problem: FormulaProblem, { at, text }: Token): FormulaFailure {
    return new FormulaFailure({ problem, at, text })
  }
}

/** Metrics that the formula uses, each once. */
export function metricsIn(node: FormulaNode): MetricName[] {
  switch (node.kind) {
    case 'number':
      return []
    case 'metric':
      return [node.name]
    case 'minus':
      return metricsIn(node.of)
    case 'binary':
      return [...new Set([...metricsIn(node.left), ...metricsIn(node.right)])]
  }
}

/** True if a report with these metrics can evaluate the formula; false if the formula does not parse. */
export function isMadeOf(expression: string, numbers: readonly MetricName[]): boolean {
  const { node } = parseFormula(expression)
  return node !== null && metricsIn(node).every((name) => numbers.includes(name))
}

/** Returns the value of a metric in one row, unrounded if the caller has it; undefined or null if there is none. */
export type ReadMetric = (name: MetricName) => number | null | undefined

/** Evaluates a formula, rounded half-up to two decimals; null if a value is missing or a divisor is zero. Percentages are multiplied by 100. */
export function evaluateFormula(node: FormulaNode, unit: FormulaUnit, numbers: ReadMetric): number | null {
  const value = evaluate(node, numbers)
  return value === null ? null : roundHalfUp(unit === 'percent' ? value * 100 : value)
}

function evaluate(node: FormulaNode, numbers: ReadMetric): number | null {
  if (node.kind === 'number') return node.value
  if (node.kind === 'metric') return evaluateMetric(node.name, numbers)
  if (node.kind === 'minus') {
    const value = evaluate(node.of, numbers)
    return value === null ? null : -value
  }
  const [left, right] = [evaluate(node.left, numbers), evaluate(node.right, numbers)]
  if (left === null || right === null) return null
  switch (node.operator) {
    case '+':
      return left + right
    case '-':
      return left - right
    case '*':
      return left * right
    case '/':
      return right === 0 ? null : left / right
  }
}

/** Maps a set of components to the metric that is exactly their sum. */
const SUM_METRICS: ReadonlyMap<string, MetricName> = new Map(
  METRIC_NAMES.filter((name) => metricOf(name).madeOf === undefined).map((name) => [
    componentsKey(metricOf(name).sum.plus),
    name,
  ]),
)

function componentsKey(parts: readonly ComponentName[]): string {
  return parts.join(' ')
}

/** Derives a ratio from its sums if the report has all of them; otherwise uses the shown value. */
function evaluateMetric(name: MetricName, numbers: ReadMetric): number | null {
  const { sum, over, times = 1 } = metricOf(name)
  const shown = numbers(name) ?? null
  if (over === undefined) return shown
  const [top, bottom] = [evaluateSum(sum, numbers), evaluateSum(over, numbers)]
  if (top === undefined || bottom === undefined) return shown
  return top === null || bottom === null || bottom === 0 ? null : (top / bottom) * times
}

function evaluateSum({ plus, minus = [] }: Sum, numbers: ReadMetric): number | null | undefined {
  const added = SUM_METRICS.get(componentsKey(plus))
  const subtracted = minus.length === 0 ? null : SUM_METRICS.get(componentsKey(minus))
  if (added === undefined || subtracted === undefined) return undefined
  const [left, right] = [numbers(added) ?? null, subtracted === null ? 0 : (numbers(subtracted) ?? null)]
  return left === null || right === null ? null : left - right
}

function roundHalfUp(value: number): number | null {
  if (!Number.isFinite(value)) return null
  const scaled = Math.abs(value) * 100
  // A decimal half can be slightly below one half in binary, so a tolerance is added before rounding.
  const rounded = Math.floor(scaled + 0.5 + Math.max(1e-9, scaled * 1e-14)) / 100
  return value < 0 && rounded !== 0 ? -rounded : rounded
}
