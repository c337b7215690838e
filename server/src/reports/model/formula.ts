// A column of one's own as an expression over parts, rounded as it is shown: what sorting compares. Step by step the same as `evaluateFormula`.
import type { FormulaNode } from '@tributary/contract/reports/formula'
import type { MetricName } from '@tributary/contract/reports/traffic'
import type { OwnColumn } from '../engine/query.ts'
import { unroundedSql } from './metric.ts'

/** `metrics`: those whose parts the statement has; others are no number. */
export function formulaSql({ node, unit }: OwnColumn, suffix: '' | '_2', metrics: readonly MetricName[]): string {
  const value = nodeSql(node, suffix, metrics)
  const scaled = `abs(${unit === 'percent' ? `${value} * 100` : value}) * 100`
  const rounded = `floor(${scaled} + 0.5 + greatest(1e-9, ${scaled} * 1e-14)) / 100`
  return `if(isFinite(${value}), sign(${value}) * ${rounded}, null)`
}

function nodeSql(node: FormulaNode, suffix: '' | '_2', metrics: readonly MetricName[]): string {
  switch (node.kind) {
    case 'number':
      // Digits and a point: the form in which a formula may write a number.
      return `toFloat64(${Number.isFinite(node.value) ? node.value : 'inf'})`
    case 'metric':
      return metrics.includes(node.name) ? unroundedSql(node.name, suffix) : "cast(null, 'Nullable(Float64)')"
    case 'minus':
      return `(-${nodeSql(node.of, suffix, metrics)})`
    case 'binary': {
      const [left, right] = [nodeSql(node.left, suffix, metrics), nodeSql(node.right, suffix, metrics)]
      return node.operator === '/' ? `(${left} / nullIf(${right}, 0))` : `(${left} ${node.operator} ${right})`
    }
  }
}
