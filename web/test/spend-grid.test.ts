// The spend grid without a browser: amounts as people write them, pasted blocks, fill down, keys, and what a save leaves.

import type { SpendTable, SpendTableCell, SpendTableRow } from '@tributary/contract/calls/spend-table'
import { say } from '@tributary/contract/words/messages'
import { expect, test } from 'vitest'
import { findDecimalSign, parseClipboard, readAmount } from '../src/lib/read-amounts.ts'
import { stepFor } from '../src/screens/partner-spend/grid-keys.ts'
import {
  copyText,
  countEdits,
  type Edits,
  enterTexts,
  fillDown,
  keepRejected,
  NO_EDITS,
  pasteTexts,
  rangeBetween,
  settleClashes,
  takeBack,
  textOf,
  toCells,
  withCurrencies,
} from '../src/screens/partner-spend/grid-model.ts'
import { addUp, withSaved } from '../src/screens/partner-spend/grid-totals.ts'
import { dayWidth, sumWidth } from '../src/screens/partner-spend/grid-width.ts'

const cellOf = (date: string, more: Partial<SpendTableCell> = {}): SpendTableCell => ({
  date,
  base: null,
  sum: null,
  currency: 'EUR',
  has_data: true,
  source: null,
  claimed: null,
  claim_currency: null,
  locked: false,
  reason: null,
  values: null,
  version: null,
  id: null,
  ...more,
})
const DAYS = ['2026-10-01', '2026-10-02', '2026-10-03']
const rowOf = (id: number, cells: Partial<SpendTableCell>[] = []): SpendTableRow => ({
  stream: { id, title: `Stream ${id}` },
  country: { id: 1, title: 'Ukraine' },
  site_id: null,
  payment_model: null,
  link: null,
  percentages: null,
  cells: DAYS.map((date, index) => cellOf(date, cells[index])),
})
const locked = { locked: true, reason: 'spend_without_activity', has_data: false } as const
const ROWS = [rowOf(1, [{ base: '5.0000', sum: '5.5000', version: 3 }]), rowOf(2, [{}, locked]), rowOf(3)]
const editAt = (edits: Edits, row: number, day: number) => edits.get(`${row} 1 `)?.get(day)

test.each([
  ['1 234,50', '1234.50'],
  ['1,234.50', '1234.50'],
  ['1.234,50', '1234.50'],
  ['1\u00a0234\u202f567.8', '1234567.8'],
  ["1'234.5", '1234.5'],
  ['12,5', '12.5'],
  ['0', '0'],
  ['1 000 000 000 000', '1000000000000'],
  ['12.34567', '12.34567'],
  ['.5', '0.5'],
  [',50', '0.50'],
  ['12.', '12'],
  ['1 234,', '1234'],
  ['', null],
  ['  ', null],
])('%s is read as %s [MON-07]', (text, base) => {
  expect(readAmount(text)).toEqual({ base })
})

test.each([
  ['n/a', 'not_amount'],
  ['-', 'not_amount'],
  ['1,23,4', 'not_amount'],
  ['1 23', 'not_amount'],
  ['12 3456', 'not_amount'],
  ['1 234 5', 'not_amount'],
  ['.', 'not_amount'],
  ['-5', 'negative'],
  ['\u22125', 'negative'],
  ['1,234', 'two_ways'],
  ['1.234', 'two_ways'],
])('%s is rejected: %s [MON-07]', (text, problem) => {
  expect(readAmount(text)).toEqual({ problem })
})

test.each([
  ['1 000 000 000 000', 'max_value', 'No more than 1\u202f000\u202f000\u202f000'],
  ['1 000 000 001', 'max_value', 'No more than 1\u202f000\u202f000\u202f000'],
  ['12.34567', 'too_precise', 'No more than 4 digits after the point'],
])('%s is an amount that no spend can be, for the reason that the server has: %s [MON-07]', (text, key, words) => {
  const edit = editAt(enterTexts(NO_EDITS, ROWS, [{ row: 0, day: 0, text }]), 1, 0)
  expect(edit).toMatchObject({ text, base: null, problem: { kind: 'amount', issue: { key } } })
  const { issue } = edit?.problem?.kind === 'amount' ? edit.problem : { issue: undefined }
  expect(issue && say('en', issue.key, issue.values)).toBe(words)
})

test('what can be read in two ways is read as the rest of the block [MON-07]', () => {
  expect(findDecimalSign(['1,234', '1,234.50'])).toBe('.')
  expect(findDecimalSign(['1.234', '12,5'])).toBe(',')
  expect(findDecimalSign(['12,5', '12.5'])).toBeNull()
  expect(readAmount('1,234', '.')).toEqual({ base: '1234' })
  expect(readAmount('1,234', ',')).toEqual({ base: '1.234' })
  expect(readAmount('1.234', ',')).toEqual({ base: '1234' })
})

test('a copied range is parted by tabs and lines, with quoted cells [MON-07]', () => {
  expect(parseClipboard('1\t2\r\n3\t4\r\n')).toEqual([
    ['1', '2'],
    ['3', '4'],
  ])
  expect(parseClipboard('"a\nb"\t"c ""d"""')).toEqual([['a\nb', 'c "d"']])
  expect(parseClipboard('')).toEqual([['']])
})

test('a pasted block mixes amounts, blanks and texts; a rejected cell keeps its text and is not sent [MON-07]', () => {
  const block = parseClipboard('\t1 234,50\tn/a\n7\t8\t')
  const { given, sign, range } = pasteTexts(block, rangeBetween({ row: 0, day: 0 }, { row: 0, day: 0 }))
  expect(range).toEqual({ from: { row: 0, day: 0 }, to: { row: 1, day: 2 } })
  const edits = enterTexts(NO_EDITS, ROWS, given, sign)
  expect(editAt(edits, 1, 0)).toMatchObject({ base: null, problem: null })
  expect(editAt(edits, 1, 1)).toMatchObject({ base: '1234.50', problem: null })
  expect(editAt(edits, 1, 2)).toMatchObject({ text: 'n/a', problem: { kind: 'text', why: 'not_amount' } })
  expect(editAt(edits, 2, 1)).toMatchObject({ problem: { kind: 'locked', key: 'spend_without_activity' } })
  expect(editAt(edits, 2, 2)).toBeUndefined()
  expect(countEdits(edits)).toEqual({ ready: 3, problems: 2, clashes: 0 })
  expect(
    toCells({ rows: ROWS, days: DAYS }, edits).map(({ stream, date, base, version }) => [stream, date, base, version]),
  ).toEqual([
    [1, DAYS[0], null, 3],
    [1, DAYS[1], '1234.50', null],
    [2, DAYS[0], '7', null],
  ])
})

test('a single copied cell fills the selected range; what lies outside the table is left out [MON-07]', () => {
  const one = pasteTexts([['4']], rangeBetween({ row: 2, day: 2 }, { row: 0, day: 1 }))
  expect(one.given).toHaveLength(6)
  const wide = pasteTexts([['1', '2', '3', '4']], rangeBetween({ row: 2, day: 2 }, { row: 2, day: 2 }))
  expect(enterTexts(NO_EDITS, ROWS, wide.given).get('3 1 ')?.size).toBe(1)
})

test('an equal amount is no edit, and entering the old one takes an edit back [MON-07]', () => {
  expect(enterTexts(NO_EDITS, ROWS, [{ row: 0, day: 0, text: '5,00' }])).toEqual(NO_EDITS)
  const edits = enterTexts(NO_EDITS, ROWS, [{ row: 0, day: 0, text: '6' }])
  expect(enterTexts(edits, ROWS, [{ row: 0, day: 0, text: '5' }])).toEqual(NO_EDITS)
  expect(
    enterTexts(NO_EDITS, ROWS, [{ row: 2, day: 0, text: '0' }])
      .get('3 1 ')
      ?.get(0)?.base,
  ).toBe('0')
})

test('filling down copies the first row of the range, or the row above a single one [MON-07]', () => {
  const textAt = ({ row, day }: { row: number; day: number }) => textOf(ROWS[row]?.cells[day], undefined)
  const range = rangeBetween({ row: 0, day: 0 }, { row: 2, day: 0 })
  expect(fillDown(range, textAt).map(({ row, text }) => [row, text])).toEqual([
    [1, '5'],
    [2, '5'],
  ])
  expect(fillDown(rangeBetween({ row: 1, day: 0 }, { row: 1, day: 0 }), textAt)).toEqual([
    { row: 1, day: 0, text: '5' },
  ])
  expect(fillDown(rangeBetween({ row: 0, day: 0 }, { row: 0, day: 0 }), textAt)).toEqual([])
  expect(copyText(rangeBetween({ row: 0, day: 0 }, { row: 1, day: 1 }), '.', textAt)).toBe('5\t\n\t')
})

test('after a save rejected cells stay with their reason, and unsent ones as they were [MON-07]', () => {
  const edits = enterTexts(NO_EDITS, ROWS, [
    { row: 0, day: 1, text: '1' },
    { row: 0, day: 2, text: 'x' },
    { row: 2, day: 0, text: '2' },
  ])
  const refused = [{ stream: 3, country: 1, site_id: null, date: DAYS[0] ?? '', code: 'stale', message: 'Somebody…' }]
  const left = keepRejected(edits, DAYS, refused)
  expect(editAt(left, 1, 1)).toBeUndefined()
  expect(editAt(left, 1, 2)?.problem).toMatchObject({ kind: 'text' })
  expect(editAt(left, 3, 0)?.problem).toEqual({ kind: 'rejected', message: 'Somebody…' })
  expect(countEdits(left)).toEqual({ ready: 1, problems: 2, clashes: 0 })
})

test('totals hold what is entered, with the percentage of the day and its rate; a blank is not added [MON-07]', () => {
  const table = {
    rows: ROWS,
    days: DAYS,
    percentages: ['10.0000', '20.0000', '0.0000'],
    rates: { EUR: ['1.00000000', '0.50000000', null] },
  }
  const edits = enterTexts(NO_EDITS, ROWS, [{ row: 0, day: 1, text: '100' }])
  expect(addUp(table, edits)).toMatchObject({
    days: ['5.5000', '60.0000', null],
    sum: '65.5000',
    isRateMissing: false,
  })
  expect(addUp(table, enterTexts(edits, ROWS, [{ row: 2, day: 2, text: '1' }])).isRateMissing).toBe(true)
  // A day whose entries are all 0 has a total; a day without an entry has none.
  const zeros = enterTexts(NO_EDITS, ROWS, [{ row: 0, day: 1, text: '0' }])
  expect(addUp(table, zeros).days.slice(1)).toEqual(['0.0000', null])
})

test.each([
  ['ArrowDown', {}, { act: 'go', to: { row: 2, day: 1 }, extend: false }],
  ['ArrowLeft', { shiftKey: true }, { act: 'go', to: { row: 1, day: 0 }, extend: true }],
  ['Tab', {}, { act: 'go', to: { row: 1, day: 2 }, extend: false }],
  ['Tab', { shiftKey: true }, { act: 'go', to: { row: 1, day: 0 }, extend: false }],
  ['End', { ctrlKey: true }, { act: 'go', to: { row: 2, day: 2 }, extend: false }],
  ['Enter', {}, { act: 'type', text: null }],
  ['7', {}, { act: 'type', text: '7' }],
  ['Delete', {}, { act: 'clear' }],
  ['Escape', {}, { act: 'leave' }],
  ['z', { ctrlKey: true }, { act: 'undo' }],
  ['Z', { metaKey: true, shiftKey: true }, { act: 'redo' }],
  // A Cyrillic layout, and a German one, on which Z and Y have changed places.
  ['я', { ctrlKey: true, code: 'KeyZ' }, { act: 'undo' }],
  ['ы', { ctrlKey: true, code: 'KeyS' }, { act: 'save' }],
  ['z', { ctrlKey: true, code: 'KeyY' }, { act: 'undo' }],
  ['d', { ctrlKey: true }, { act: 'fill' }],
  ['s', { metaKey: true }, { act: 'save' }],
  ['c', { ctrlKey: true }, null],
  ['Shift', {}, null],
])('%s with %o does %o [MON-07]', (key, modifiers, step) => {
  const place = { row: 1, day: 1 }
  const sight = { active: place, range: rangeBetween(place, place), rows: 3, days: 3, pageRows: 5 }
  const pressed = { key, code: '', ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, ...modifiers }
  expect(stepFor(pressed, sight)).toEqual(step)
})

test('at the ends of the table Tab leaves it [MON-07]', () => {
  const last = { row: 2, day: 2 }
  const sight = { active: last, range: rangeBetween(last, last), rows: 3, days: 3, pageRows: 5 }
  const tab = { key: 'Tab', code: 'Tab', ctrlKey: false, metaKey: false, shiftKey: false, altKey: false }
  expect(stepFor(tab, sight)).toBeNull()
  expect(stepFor({ ...tab, shiftKey: true }, { ...sight, active: { row: 0, day: 0 } })).toBeNull()
})

test('a cell that somebody else has changed waits for a choice: mine is sent over theirs, theirs drops mine [SPD-01] [MON-07]', () => {
  const edits = enterTexts(NO_EDITS, ROWS, [
    { row: 0, day: 0, text: '7' },
    { row: 2, day: 0, text: '8' },
    { row: 2, day: 1, text: '9' },
  ])
  const at = (row: number, day: number) => ({ stream: row + 1, country: 1, site_id: null, date: DAYS[day] ?? '' })
  const stale = (row: number, day: number, base: string | null) => ({
    ...at(row, day),
    code: 'stale',
    message: 'changed',
    current: { base, source: 'manual' as const, version: 9, by: 'Ann' },
  })
  const kept = keepRejected(edits, DAYS, [stale(0, 0, '6.0000'), stale(2, 0, null), stale(2, 1, '9.0000')])
  expect(editAt(kept, 1, 0)?.problem).toEqual({ kind: 'clash', theirs: '6.0000', by: 'Ann' })
  // Both have entered the same.
  expect(editAt(kept, 3, 1)).toBeUndefined()
  expect(countEdits(kept)).toEqual({ ready: 0, problems: 2, clashes: 2 })
  expect(toCells({ rows: ROWS, days: DAYS }, kept)).toEqual([])
  const loaded = [rowOf(1, [{ base: '6.0000', version: 9 }]), rowOf(2), rowOf(3, [{ version: 9 }])]
  const cell = (row: number) => rangeBetween({ row, day: 0 }, { row, day: 0 })
  const mine = settleClashes(kept, loaded, 'mine', cell(0))
  expect(toCells({ rows: loaded, days: DAYS }, mine)).toEqual([{ ...at(0, 0), base: '7', version: 9 }])
  expect(countEdits(mine)).toEqual({ ready: 1, problems: 1, clashes: 1 })
  expect(settleClashes(mine, loaded, 'theirs', rangeBetween({ row: 0, day: 0 }, { row: 2, day: 2 }))).toEqual(
    settleClashes(mine, loaded, 'theirs', cell(2)),
  )
  expect(countEdits(settleClashes(mine, loaded, 'theirs', cell(2)))).toEqual({ ready: 1, problems: 0, clashes: 0 })
  // The cell takes nothing any more: mine stays as a problem.
  const closed = [rowOf(1, [{ base: '6.0000', version: 9, reason: 'period_closed', locked: true }]), ...loaded.slice(1)]
  expect(editAt(settleClashes(kept, closed, 'mine', cell(0)), 1, 0)?.problem).toEqual({
    kind: 'locked',
    key: 'period_closed',
  })
})

test('copied amounts have the decimal sign of the language, and are read back as they were [MON-07]', () => {
  const rows = [rowOf(1, [{ base: '1234.5000' }, { base: '1.2340' }, { base: '7.0000' }])]
  const range = rangeBetween({ row: 0, day: 0 }, { row: 0, day: 2 })
  const textAt = ({ row, day }: { row: number; day: number }) => textOf(rows[row]?.cells[day], undefined)
  expect(copyText(range, '.', textAt)).toBe('1234.5\t1.2340\t7')
  const russian = copyText(range, ',', textAt)
  expect(russian).toBe('1234,5\t1,2340\t7')
  expect(russian.split('\t').map((text) => readAmount(text))).toEqual([
    { base: '1234.5' },
    { base: '1.2340' },
    { base: '7' },
  ])
})

test('after a save Undo brings back what its cells held; rejected ones stay as they are [MON-07]', () => {
  const edits = enterTexts(NO_EDITS, ROWS, [
    { row: 0, day: 0, text: '9' },
    { row: 0, day: 1, text: '1' },
    { row: 2, day: 0, text: 'x' },
  ])
  const kept = keepRejected(edits, DAYS, [])
  const back = takeBack(edits, ROWS, kept)
  expect(editAt(back, 1, 0)).toEqual({ text: '5', base: '5.0000', problem: null })
  expect(editAt(back, 1, 1)).toEqual({ text: '', base: null, problem: null })
  expect(editAt(back, 3, 0)?.problem).toMatchObject({ kind: 'text' })
  expect(countEdits(back)).toEqual({ ready: 2, problems: 1, clashes: 0 })
})

test('what was saved shows at once with the totals it was entered with; cells with a problem stay [MON-07]', () => {
  const table = {
    rows: ROWS,
    days: DAYS,
    percentages: ['10.0000', '20.0000', '0.0000'],
    rates: { EUR: ['1.00000000', '0.50000000', '1.00000000'] },
  } as unknown as SpendTable
  const edits = enterTexts(NO_EDITS, ROWS, [
    { row: 0, day: 0, text: '' },
    { row: 0, day: 1, text: '10' },
    { row: 1, day: 1, text: '7' },
    { row: 2, day: 0, text: '2.5' },
  ])
  const saved = withSaved(table, edits)
  expect(addUp(saved, NO_EDITS)).toEqual(addUp(table, edits))
  expect(saved.rows[0]?.cells[0]).toMatchObject({ base: null, sum: null, source: null, version: 3 })
  expect(saved.rows[0]?.cells[1]).toMatchObject({ base: '10', source: 'manual' })
  expect(saved.rows[1]).toEqual(ROWS[1])
})

test('a currency that is chosen for a row holds in its blank cells, and is sent with their sums [SPD-01]', () => {
  const chosen = new Map([['1 1 ', 7]])
  const table = withCurrencies({ rows: ROWS, currencies: [{ id: 7, value: 'USD' }] } as unknown as SpendTable, chosen)
  expect(table.rows[0]?.cells.map(({ currency }) => currency)).toEqual(['EUR', 'USD', 'USD'])
  expect(table.rows[1]).toBe(ROWS[1])
  const edits = enterTexts(NO_EDITS, table.rows, [
    { row: 0, day: 1, text: '1' },
    { row: 2, day: 0, text: '2' },
  ])
  expect(toCells({ rows: table.rows, days: DAYS }, edits, chosen).map(({ currency }) => currency)).toEqual([
    7,
    undefined,
  ])
})

test('no total is cut: the column is as wide as the longest one [SPD-01]', () => {
  expect(sumWidth(['5.0000'])).toBe(4.5)
  expect(sumWidth(['5.0000', '459762.1200'])).toBe(9)
})

test('day columns are as wide as the longest amount, with what is entered [SPD-01]', () => {
  const table = { rows: ROWS }
  expect(dayWidth(table, NO_EDITS, ['5.5000'])).toBe(4.5)
  expect(dayWidth(table, NO_EDITS, ['123.4500'])).toBe(5.5)
  const long = enterTexts(NO_EDITS, ROWS, [{ row: 0, day: 0, text: '12345.5' }])
  expect(dayWidth(table, long, [])).toBe(8)
})
