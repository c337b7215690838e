// listOf checks long lists like plain arrays but describes only the first wrong items.
import { expect, test } from 'vitest'
import { z } from 'zod'
import { listOf } from '../list-of.ts'

const isId = (value: unknown): value is number => Number.isInteger(value) && Number(value) > 0
const ids = listOf(z.int().positive(), isId, 20_000)

test('the JSON schema of a list is that of an array [API-05]', () => {
  const plain = z.array(z.int().positive()).max(20_000)
  expect(z.toJSONSchema(ids)).toEqual(z.toJSONSchema(plain))
  expect(z.toJSONSchema(z.object({ ids: ids.default([]) }), { io: 'input' })).toEqual(
    z.toJSONSchema(z.object({ ids: plain.default([]) }), { io: 'input' }),
  )
})

test('the first wrong items are named by their index and the others counted [API-05]', () => {
  expect(ids.safeParse([1, 2, 3]).success).toBe(true)
  expect(ids.safeParse([1, -2, 'x', 4]).error?.issues).toEqual([
    expect.objectContaining({ path: [1], message: 'value_invalid' }),
    expect.objectContaining({ path: [2], message: 'value_invalid' }),
  ])
  const issues = ids.safeParse(Array.from({ length: 20_000 }, () => 'x')).error?.issues ?? []
  expect(issues).toHaveLength(20)
  expect(issues.at(-1)).toMatchObject({ path: [19], params: { omitted: 19_980 } })
  expect(ids.safeParse(Array.from({ length: 20_001 }, () => 1)).error?.issues).toMatchObject([{ code: 'too_big' }])
})
