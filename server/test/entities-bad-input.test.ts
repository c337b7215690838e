// Bad input, field by field over the whole registry: a clear message on the field or the value kept as it was meant; never a failure, nothing
// lost, nothing double.

import { ENTITY_NAMES } from '@tributary/contract/entities/registry'
import type { Field, TextField } from '@tributary/contract/field'
import { isWritable, maxLength } from '@tributary/contract/validate'
import { beforeAll, expect, test } from 'vitest'
import type { Server } from '../src/server.ts'
import { ask, done, ENTITY_MODULES } from './entity-calls.ts'
import { entityOf, makeBody, makePool, makeRow } from './entity-rows.ts'
import { startTestApp } from './harness.ts'
import { makePerson, type SignedIn, signIn } from './sign-in.ts'

let server: Server
let admin: SignedIn
let manager: SignedIn

beforeAll(async () => {
  server = await startTestApp({ modules: ENTITY_MODULES })
  admin = await signIn(server, 'ADMIN')
  await makePerson(server, 'MANAGER')
  manager = await signIn(server, 'MANAGER')
})

const isOpen = (requirement: unknown): boolean =>
  requirement === 'everyone' || ((requirement as { roles?: unknown[] }).roles ?? []).length > 0
const EDITED = ENTITY_NAMES.filter((name) => isOpen(entityOf(name).access.create) && isOpen(entityOf(name).access.edit))

const fieldsOfKind = <K extends Field['kind']>(
  name: string,
  kinds: readonly K[],
): [string, Extract<Field, { kind: K }>][] =>
  Object.entries(entityOf(name).fields).flatMap(([key, field]) =>
    isWritable(field, false) && (kinds as readonly string[]).includes(field.kind)
      ? [[key, field as Extract<Field, { kind: K }>]]
      : [],
  )

/** Texts that take any words, so that what was sent can be expected back. */
const isFree = ({ format = 'plain', writeOnly }: TextField): boolean =>
  writeOnly !== true && (format === 'plain' || format === 'long')

const STRANGE = [
  '\u{1F3B0}\u{1F469}‍\u{1F4BB} 日本',
  'مرحبا ‏שלום',
  '<script>alert(1)</script>',
  '=cmd|"/c calc"!A0',
  "'; drop table offer; --",
  '%_\\',
]

/** An alternative title of a country may not repeat another country's. */
const isTakenElsewhere = ({ reasons }: Record<string, unknown>): boolean =>
  Array.isArray(reasons) && reasons.some(({ code }: { code: string }) => code === 'title_exists')

test.each(EDITED)(
  '%s: texts are kept as they are, trimmed, or refused on their field [API-05] [FORM-03]',
  async (name) => {
    const row = await makeRow(await makePool(admin), name)
    for (const [key, field] of fieldsOfKind(name, ['text'])) {
      const max = maxLength(field)
      const long = await ask(admin, 'PATCH', `${name}/${row.id}`, { [key]: 'x'.repeat(max + 1) })
      expect([key, long.status, Object.keys((long.body.formErrors as object | undefined) ?? {})]).toEqual([
        key,
        422,
        [key],
      ])
      for (const text of STRANGE) {
        const reply = await ask(admin, 'PATCH', `${name}/${row.id}`, { [key]: `  ${text} ` })
        expect([200, 422], `${key} ${JSON.stringify(reply.body)}`).toContain(reply.status)
        if (reply.status === 200) expect(reply.body[key]).toBe(text)
        else expect(Object.keys(reply.body.formErrors as object)).toEqual([key])
        if (isFree(field) && text.length <= max && !isTakenElsewhere(reply.body)) expect(reply.status, key).toBe(200)
      }
    }
  },
)

test.each(EDITED)(
  '%s: numbers beyond what the record holds are refused on their field [API-05] [FORM-03]',
  async (name) => {
    const row = await makeRow(await makePool(admin), name)
    const before = await done(admin, 'GET', `${name}/${row.id}`)
    for (const [key, field] of fieldsOfKind(name, ['integer', 'decimal', 'date', 'reference'])) {
      for (const value of [
        // Money holds fourteen digits before the point.
        ...(field.kind === 'decimal' ? [] : [2_147_483_648, -2_147_483_649]),
        1e300,
        '9'.repeat(30),
        '0.123456789',
        'NaN',
        '2026-02-30',
        true,
      ]) {
        const reply = await ask(admin, 'PATCH', `${name}/${row.id}`, { [key]: value })
        expect([key, String(value), reply.status], JSON.stringify(reply.body)).toEqual([key, String(value), 422])
        expect(Object.keys(reply.body.formErrors as object)).toEqual([key])
      }
    }
    expect(await done(admin, 'GET', `${name}/${row.id}`)).toEqual(before)
  },
)

/** What no field of the kind takes; undefined where a kind has nothing of the sort. */
function wrongFor(field: Field): unknown {
  switch (field.kind) {
    case 'text':
      return 'x'.repeat(maxLength(field) + 1)
    case 'integer':
      return 2_147_483_648
    case 'decimal':
      return '9'.repeat(30)
    case 'date':
      return '2026-02-30'
    case 'datetime':
      return 'yesterday'
    case 'boolean':
      return 'perhaps'
    case 'choice':
      return 'no such'
    case 'choices':
      return ['no such']
    case 'texts':
      return ['fine', 'x'.repeat(300)]
    case 'reference':
      return 2_000_000_000
    case 'references':
      return [2_000_000_000]
    case 'children':
    case 'derived':
    case 'json':
    case 'uuid':
      return undefined
  }
}

test.each(EDITED)(
  '%s: what a field does not take, in it or in a row below, is refused where it stands [API-05] [FORM-03] [FORM-05]',
  async (name) => {
    const row = await makeRow(await makePool(admin), name)
    const errorsOf = async (body: Record<string, unknown>): Promise<Record<string, unknown>> => {
      const reply = await ask(admin, 'PATCH', `${name}/${row.id}`, body)
      expect(reply.status, JSON.stringify([body, reply.body]).slice(0, 500)).toBe(422)
      return reply.body.formErrors as Record<string, unknown>
    }
    for (const [key, field] of Object.entries(entityOf(name).fields)) {
      if (!isWritable(field, false) || field.fixed) continue
      const wrong = wrongFor(field)
      // What hangs on a reference may be at fault with it.
      if (wrong !== undefined) expect(Object.keys(await errorsOf({ [key]: wrong })), key).toContain(key)
      if (field.kind !== 'children') continue
      for (const [own, below] of Object.entries(entityOf(field.of).fields)) {
        const inside = own === field.by || !isWritable(below, true) ? undefined : wrongFor(below)
        if (inside === undefined) continue
        const errors = await errorsOf({ [key]: [{ [own]: inside }] })
        expect(errors, `${key}.${own}`).toMatchObject({ [key]: { 0: { [own]: [expect.any(String)] } } })
      }
    }
  },
)

test.each(EDITED)(
  '%s: a reference to what is missing, switched off or out of sight is refused on its field [API-05] [PERM-07]',
  async (name) => {
    const body = await makeBody(await makePool(admin), name)
    const references = Object.entries(entityOf(name).fields).filter(
      ([, field]) => field.kind === 'reference' && isWritable(field, true),
    )
    for (const [key, field] of references) {
      if (field.kind !== 'reference') continue
      const missing = await ask(admin, 'POST', name, { ...body, [key]: 2_000_000_000 })
      expect([key, missing.status], JSON.stringify(missing.body)).toEqual([key, 422])
      expect(Object.keys(missing.body.formErrors as object)).toContain(key)
      if (entityOf(field.to).hasActive && isOpen(entityOf(field.to).access.edit))
        await expectInactive(name, body, key, field.to)
      if (isOpen(entityOf(name).access.create) && entityOf(field.to).scope.by === 'partner') {
        const foreign = await ask(manager, 'POST', name, body)
        expect([403, 422], JSON.stringify(foreign.body)).toContain(foreign.status)
      }
    }
  },
)

async function expectInactive(name: string, body: Record<string, unknown>, key: string, to: string): Promise<void> {
  const id = Number(body[key])
  if (!Number.isSafeInteger(id)) return
  await done(admin, 'PATCH', `${to}/${id}`, { active: false })
  const reply = await ask(admin, 'POST', name, body)
  await done(admin, 'PATCH', `${to}/${id}`, { active: true })
  expect([key, reply.status], JSON.stringify(reply.body)).toEqual([key, 422])
}

test.each(EDITED)(
  '%s: two who save one version at once: one is kept, the other is told [FORM-07] [API-05]',
  async (name) => {
    const row = await makeRow(await makePool(admin), name)
    const flag = entityOf(name).hasActive ? 'active' : undefined
    const [field] = flag === undefined ? (fieldsOfKind(name, ['decimal', 'integer'])[0] ?? []) : [flag]
    if (field === undefined) return
    const value = flag === undefined ? '3' : false
    const sent = field === flag ? value : fieldsOfKind(name, ['integer']).some(([key]) => key === field) ? 3 : value
    const save = () => ask(admin, 'PATCH', `${name}/${row.id}`, { [field]: sent, version: row.version })
    const replies = await Promise.all([save(), save()])
    expect(replies.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409])
    const stale = replies.find(({ status }) => status === 409)
    expect(stale?.body).toMatchObject({ code: 'stale', current: { id: row.id } })
    expect(await done(admin, 'GET', `${name}/${row.id}`)).toMatchObject({ version: row.version + 1 })
  },
)

test.each(EDITED)('%s: the same creation twice is one row [API-05]', async (name) => {
  const body = await makeBody(await makePool(admin), name)
  const headers = { 'idempotency-key': `twice-${name}-${process.pid}` }
  const total = async (): Promise<number> =>
    Number(((await done(admin, 'GET', `${name}?limit=10`, undefined, {})).pagination as { total: number }).total)
  const before = await total()
  const replies = await Promise.all([ask(admin, 'POST', name, body, headers), ask(admin, 'POST', name, body, headers)])
  expect(
    replies.map(({ status }) => status),
    JSON.stringify(replies[1]?.body),
  ).toEqual([201, 201])
  expect(replies[0]?.body.id).toBe(replies[1]?.body.id)
  expect(await total()).toBe(before + 1)
})
