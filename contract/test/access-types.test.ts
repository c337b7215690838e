// Declarations that must not compile. If one compiles, its @ts-expect-error mark becomes a compile error.
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

test('entities, calls and reports without access or scope do not compile [PERM-08]', () => {
  expect(defineEntity({ ...noun, access }).access).toBe(access)
  // @ts-expect-error without access
  defineEntity(noun)
  const { remove: _, ...incomplete } = access
  // @ts-expect-error without access for deleting
  defineEntity({ ...noun, access: incomplete })
  // @ts-expect-error with an unknown role
  defineEntity({ ...noun, access: { ...access, view: { roles: ['OWNER'] } } })
  // @ts-expect-error with an unknown permission
  defineEntity({ ...noun, access: { ...access, view: { permissions: ['everything'] } } })
  const { scope: _scope, ...scopeless } = noun
  // @ts-expect-error without a scope
  defineEntity({ ...scopeless, access })

  expect(defineCall({ name: 'act', method: 'POST', path: 'act', access: 'everyone' }).access).toBe('everyone')
  // @ts-expect-error without access
  defineCall({ name: 'act', method: 'POST', path: 'act' })
  // @ts-expect-error with an unknown access
  defineCall({ name: 'act', method: 'POST', path: 'act', access: 'anybody' })

  const report = { name: 'r', path: 'r', calls: [], request: z.strictObject({}), answer: z.unknown() }
  expect(defineReport({ ...report, access: ADMIN_ONLY }).access).toBe(ADMIN_ONLY)
  // @ts-expect-error without access
  expect(defineReport(report).name).toBe('r')
})
