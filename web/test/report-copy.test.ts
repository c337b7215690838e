// The browser's copy of a report: for whom it is used, what is stored, what is removed.
import { describe, expect, test } from 'vitest'
import { memoryStore } from '../src/lib/storage.ts'
import { COPY_ENTRIES_CAP, COPY_PREFIX, readCopy, storeCopy } from '../src/reports/run/report-copy.ts'

interface Rows {
  rows: (number | string)[]
}
const isRows = (value: unknown): value is Rows => typeof value === 'object' && value !== null && 'rows' in value
const count = ({ rows }: Rows) => rows.length
const keep = (store: ReturnType<typeof memoryStore>, key: string, answer: unknown, version = '1') =>
  storeCopy(store, 'general_report', { key, saved_at: 7, version, answer }, isRows, count)
const read = (store: ReturnType<typeof memoryStore>, key: string, version = '1', name = 'general_report') =>
  readCopy(store, name, { key, version }, isRows)

describe('the copy of a report in the browser', () => {
  test('is used for the same request only [REP-11]', () => {
    const store = memoryStore()
    expect(keep(store, 'june of person 1', { rows: [1, 2] })).toBe(true)
    expect(read(store, 'june of person 1')).toEqual({
      key: 'june of person 1',
      saved_at: 7,
      version: '1',
      answer: { rows: [1, 2] },
    })
    expect(read(store, 'june of person 2')).toBeNull()
    expect(read(store, 'june of person 1', '1', 'cohort_analysis')).toBeNull()
  })

  test('is not used once facts have changed, or while they are being written [REP-11] [REP-10]', () => {
    const store = memoryStore()
    keep(store, 'a', { rows: [1] }, '41')
    expect(read(store, 'a', '41')?.answer).toEqual({ rows: [1] })
    expect([read(store, 'a', '42'), read(store, 'a', '')]).toEqual([null, null])
    keep(store, 'a', { rows: [1] }, '')
    expect(read(store, 'a', '')).toBeNull()
  })

  test('of an invalid, too long or too large answer is removed [REP-11]', () => {
    const store = memoryStore()
    const full = (length: number, text = '') => ({ rows: new Array<string>(length).fill(text) })
    for (const answer of [{ error: 'none' }, full(COPY_ENTRIES_CAP), full(10, 'x'.repeat(160_000)), null]) {
      expect(keep(store, 'a', full(COPY_ENTRIES_CAP - 1))).toBe(true)
      expect(keep(store, 'a', answer)).toBe(false)
      expect(store.getItem(`${COPY_PREFIX}general_report`)).toBeNull()
    }
  })

  test('is removed if it is unreadable [REP-11]', () => {
    const store = memoryStore()
    for (const text of ['{', '{"key":"a"}', '{"key":"a","saved_at":1,"version":"1","answer":{"rowz":1}}']) {
      store.setItem(`${COPY_PREFIX}general_report`, text)
      expect(read(store, 'a')).toBeNull()
      expect(store.getItem(`${COPY_PREFIX}general_report`)).toBeNull()
    }
  })

  test('is skipped if the store rejects it [REP-11]', () => {
    const store = {
      ...memoryStore(),
      setItem: () => {
        throw new Error('full')
      },
    }
    expect(keep(store, 'a', { rows: [] })).toBe(false)
  })
})
