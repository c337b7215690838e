// The tree of grouped rows, its expansion, and keyboard navigation.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { moveColumn, orderColumns, toggleColumn, visibleColumns } from '../src/reports/columns/column-choice.ts'
import { metricsOf, swipeOf } from '../src/reports/table/one-metric.ts'
import type { PivotColumn } from '../src/reports/table/pivot-column.ts'
import {
  ALL_CLOSED,
  ALL_OPEN,
  buildTree,
  type Expansion,
  listVisible,
  type PivotTree,
  pathOf,
  toggle,
} from '../src/reports/table/pivot-tree.ts'
import { type GridState, stepFor } from '../src/reports/table/use-active-cell.ts'
import { findVisibleColumns } from '../src/reports/table/use-column-window.ts'

interface Node {
  id: number
  inside: Node[]
}

const treeOf = (roots: readonly Node[]) =>
  buildTree(roots, { childrenOf: ({ inside }: Node) => inside, idOf: ({ id }: Node) => id })

const leaf = (id: number): Node => ({ id, inside: [] })
const sample: Node[] = [
  { id: 1, inside: [{ id: 1, inside: [leaf(1), leaf(2)] }, leaf(2)] },
  leaf(2),
  { id: 3, inside: [leaf(1)] },
]

const shown = (tree: PivotTree<Node>, expansion: Expansion) =>
  [...listVisible(tree, expansion)].map((index) => pathOf(tree, index).join('/'))

describe('expansion', () => {
  const tree = treeOf(sample)

  test('closed shows the first level, open shows all, in order [REP-05]', () => {
    expect(shown(tree, ALL_CLOSED)).toEqual(['1', '2', '3'])
    expect(shown(tree, ALL_OPEN)).toEqual(['1', '1/1', '1/1/1', '1/1/2', '1/2', '2', '3', '3/1'])
  })

  test('one row opens in place and closes again; its children keep their own state [REP-05]', () => {
    const one = toggle(tree, ALL_CLOSED, 0)
    expect(shown(tree, one)).toEqual(['1', '1/1', '1/2', '2', '3'])
    const two = toggle(tree, one, 1)
    expect(shown(tree, two)).toEqual(['1', '1/1', '1/1/1', '1/1/2', '1/2', '2', '3'])
    const closed = toggle(tree, two, 0)
    expect(shown(tree, closed)).toEqual(['1', '2', '3'])
    expect(shown(tree, toggle(tree, closed, 0))).toEqual(shown(tree, two))
  })

  test('survives a new answer in another order [REP-05]', () => {
    const open = toggle(tree, ALL_CLOSED, 0)
    const later = treeOf([leaf(9), ...sample.toReversed()])
    expect(shown(later, open)).toEqual(['9', '3', '2', '1', '1/1', '1/2'])
  })

  test('equals a plain walk, for any tree and any opened rows [REP-05]', () => {
    const { tree: anyTree } = fc.letrec<{ tree: Node[] }>((tie) => ({
      tree: fc
        .array(fc.record({ inside: fc.oneof({ depthSize: 'small' }, fc.constant<Node[]>([]), tie('tree')) }), {
          maxLength: 5,
        })
        .map((list) => list.map(({ inside }, id) => ({ id, inside }))),
    }))
    fc.assert(
      fc.property(anyTree, fc.array(fc.nat(40), { maxLength: 8 }), fc.boolean(), (roots, presses, isOpen) => {
        const built = treeOf(roots)
        let expansion = isOpen ? ALL_OPEN : ALL_CLOSED
        for (const press of presses) if (press < built.rows.length) expansion = toggle(built, expansion, press)
        const walk = (nodes: readonly Node[], path: readonly number[]): string[] =>
          nodes.flatMap(({ id, inside }) => {
            const here = [...path, id]
            const isShown = expansion.except.has(here.join('\u001f')) !== expansion.isOpen
            return [here.join('/'), ...(isShown ? walk(inside, here) : [])]
          })
        expect(shown(built, expansion)).toEqual(walk(roots, []))
      }),
    )
  })
})

describe('keys', () => {
  const facts: GridState = { rows: 10, columns: 4, pageRows: 5, isOpen: null, parentRow: null }
  const at = (row: number, column: number) => ({ row, column })

  test.each([
    ['ArrowDown', false, at(3, 2), at(4, 2)],
    ['ArrowDown', false, at(10, 2), at(10, 2)],
    ['ArrowUp', false, at(0, 2), at(0, 2)],
    ['ArrowRight', false, at(3, 4), at(3, 4)],
    ['ArrowLeft', false, at(3, 2), at(3, 1)],
    ['Home', false, at(3, 2), at(3, 0)],
    ['End', false, at(3, 2), at(3, 4)],
    ['Home', true, at(3, 2), at(0, 2)],
    ['End', true, at(3, 2), at(10, 2)],
    ['PageDown', false, at(3, 2), at(8, 2)],
  ])('%s (control: %s) leads from %j to %j', (key, isControl, from, to) => {
    expect(stepFor(key, isControl, from, facts)).toEqual({ to })
  })

  test('in the tree Right opens, Left closes and then goes to the parent', () => {
    expect(stepFor('ArrowRight', false, at(3, 0), { ...facts, isOpen: false })).toEqual({ act: 'toggle' })
    expect(stepFor('ArrowRight', false, at(3, 0), { ...facts, isOpen: true })).toEqual({ to: at(3, 1) })
    expect(stepFor('ArrowLeft', false, at(3, 0), { ...facts, isOpen: true })).toEqual({ act: 'toggle' })
    expect(stepFor('ArrowLeft', false, at(3, 0), { ...facts, isOpen: false, parentRow: 1 })).toEqual({ to: at(1, 0) })
  })

  test('Enter opens the row, or the drill-down of a number', () => {
    expect(stepFor('Enter', false, at(3, 0), { ...facts, isOpen: false })).toEqual({ act: 'toggle' })
    expect(stepFor('Enter', false, at(3, 2), facts)).toEqual({ act: 'open' })
    expect(stepFor('x', false, at(3, 2), facts)).toBeNull()
  })
})

describe('columns in sight', () => {
  const widths = Array.from({ length: 40 }, () => 100)

  test('visible columns and a few beside them are rendered', () => {
    expect(findVisibleColumns(widths, 0, 1000)).toEqual({ start: 0, end: 13 })
    expect(findVisibleColumns(widths, 1500, 1000)).toEqual({ start: 12, end: 28 })
    expect(findVisibleColumns(widths, 3000, 1000)).toEqual({ start: 27, end: 40 })
    expect(findVisibleColumns([], 0, 1000)).toEqual({ start: 0, end: 0 })
  })
})

describe('columns', () => {
  const known = ['a', 'b', 'c', 'd']

  test('columns are hidden and moved; at least one stays', () => {
    const moved = moveColumn(known, { order: [], hidden: [] }, 'd', 1)
    expect(orderColumns(known, moved)).toEqual(['a', 'd', 'b', 'c'])
    const hidden = toggleColumn(known, moved, 'a')
    expect(visibleColumns(known, hidden)).toEqual(['d', 'b', 'c'])
    const last = { order: [], hidden: ['a', 'b', 'c'] }
    expect(toggleColumn(known, last, 'd')).toBe(last)
  })

  test('a new column is shown, a removed one is forgotten', () => {
    expect(visibleColumns(known, { order: ['gone', 'c', 'a'], hidden: ['gone'] })).toEqual(['c', 'a', 'b', 'd'])
  })
})

test('a metric is shown with its number of the second period, and texts are no metrics [REP-07]', () => {
  const column = (key: string, more: Partial<PivotColumn<null>> = {}): PivotColumn<null> => ({
    key,
    label: key,
    hint: '',
    explain: '',
    text: () => null,
    ...more,
  })
  const columns = [column('country', { isText: true }), column('c'), column('c_2', { isSecondary: true }), column('r')]
  expect(metricsOf(columns).map((metric) => metric.map(({ key }) => key))).toEqual([['c', 'c_2'], ['r']])
})

test('a finger that moves sideways asks for another metric; one that scrolls or taps does not [REP-07]', () => {
  const from = { x: 200, y: 300 }
  expect(swipeOf(from, { x: 100, y: 310 })).toBe(1)
  expect(swipeOf(from, { x: 300, y: 290 })).toBe(-1)
  expect(swipeOf(from, { x: 220, y: 300 })).toBeNull()
  expect(swipeOf(from, { x: 100, y: 400 })).toBeNull()
})
