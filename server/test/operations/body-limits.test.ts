// Limits of JSON bodies are counted on the text and must agree with the parsed value.

import { BODY_LIMITS } from '@tributary/contract/call'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { exceedsLimits } from '../../src/api/body-limits.ts'

interface Size {
  members: number
  width: number
  depth: number
}

function sizeOf(value: unknown): Size {
  if (typeof value !== 'object' || value === null) return { members: 0, width: 0, depth: 0 }
  const inner = Object.values(value).map(sizeOf)
  const own = Object.keys(value).length
  return {
    // An empty object or array counts as one member, because the counter does not look ahead.
    members: Math.max(1, own) + inner.reduce((sum, { members }) => sum + members, 0),
    width: Math.max(Array.isArray(value) ? 0 : Math.max(1, own), ...inner.map(({ width }) => width)),
    depth: 1 + Math.max(0, ...inner.map(({ depth }) => depth)),
  }
}

test('members, width and depth of a text are those of the parsed value [API-05]', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(undefined, 2), (value, indent) => {
      const text = JSON.stringify(value, null, indent)
      const size = sizeOf(JSON.parse(text))
      expect(exceedsLimits(text, size)).toBe(false)
      for (const name of ['members', 'width', 'depth'] as const) {
        if (size[name] > 0) expect(exceedsLimits(text, { ...size, [name]: size[name] - 1 })).toBe(true)
      }
    }),
  )
})

test.each([
  ['signs inside texts', '{"a":"[{,}]\\",[[[[","b":"\\\\"}', false],
  ['a text that does not end', `{"a":"${'\\"'.repeat(10)}`, false],
  ['too many items', `[${'1,'.repeat(BODY_LIMITS.members)}1]`, true],
  ['too many members of one object', `{${'"a":1,'.repeat(BODY_LIMITS.width)}"b":1}`, true],
  ['an array as long as one object may not be', `[${'1,'.repeat(BODY_LIMITS.width)}1]`, false],
  ['nested too deeply', '['.repeat(BODY_LIMITS.depth + 1), true],
])('%s [API-05]', (_, text, expected) => {
  expect(exceedsLimits(text, BODY_LIMITS)).toBe(expected)
})
