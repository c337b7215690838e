// What cannot be declared: each of these lines stops compiling when it may be written, and each without its mark does not compile.
import { expect, test } from 'vitest'
import { z } from 'zod'
import { ADMIN_ONLY } from '../access.ts'
import { defineCall, defineReport } from '../call.ts'
import { defineEntity, type Entity } from '../entity.ts'

const noun = {
  name: 'noun',
  route: null,
  scope: { by: 'everyone' },
  fields: { title: { kind: 'text' } },
  title: 'title',
  unique: [],
  hasActive: true,
  list: { columns: [], filters: [] },
  form: [],
} as const satisfies Omit<Entity, 'access'>
const access = {
  view: ADMIN_ONLY,
  lookup: ADMIN_ONLY,
  create: ADMIN_ONLY,
  edit: ADMIN_ONLY,
  remove: ADMIN_ONLY,
} as const

test('what does not say who may do it, and on which rows, does not compile [PERM-08]', () => {
  expect(defineEntity({ ...noun, access }).access).toBe(access)
  // @ts-expect-error without access
  defineEntity(noun)
  const { remove: _, ...incomplete } = access
  // @ts-expect-error without a word about deleting
  defineEntity({ ...noun, access: incomplete })
  // @ts-expect-error with a role that there is not
  defineEntity({ ...noun, access: { ...access, view: { roles: ['OWNER'] } } })
  // @ts-expect-error with a key that there is not
  defineEntity({ ...noun, access: { ...access, view: { permissions: ['everything'] } } })
  const { scope: _scope, ...scopeless } = noun
  // @ts-expect-error without a word about rows
  defineEntity({ ...scopeless, access })

  expect(defineCall({ name: 'act', method: 'POST', path: 'act', access: 'everyone' }).access).toBe('everyone')
  // @ts-expect-error without access
  defineCall({ name: 'act', method: 'POST', path: 'act' })
  // @ts-expect-error with an access that there is not
  defineCall({ name: 'act', method: 'POST', path: 'act', access: 'anybody' })

  const report = { name: 'r', path: 'r', calls: [], request: z.strictObject({}), answer: z.unknown() }
  expect(defineReport({ ...report, access: ADMIN_ONLY }).access).toBe(ADMIN_ONLY)
  // @ts-expect-error without access
  expect(defineReport(report).name).toBe('r')
})
