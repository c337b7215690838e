// Bad input for every field of the registry: either a clear message on the field, or the value is stored unchanged; never a failure, a loss
// or a duplicate.

import { ENTITY_NAMES } from '@tributary/contract/entities/registry'
import type { Field, TextField } from '@tributary/contract/field'
import { ISSUES_LISTED } from '@tributary/contract/limits'
import { isWritable, maxLength } from '@tributary/contract/validate'
import { beforeAll, expect, test } from 'vitest'
import type { Server } from '../../src/server.ts'
import { ask, done, ENTITY_MODULES, type Json } from '../support/entity-calls.ts'
import { entityOf, makeBody, makePool, makeRow } from '../support/entity-rows.ts'
import { startTestApp } from '../support/harness.ts'
import { makePerson, type SignedIn, signIn } from '../support/sign-in.ts'

let server: Server
let admin: SignedIn
let manager: SignedIn

beforeAll(async () => {
  server = await startTestApp({ modules: ENTITY_MODULES })
  admin = await signIn(server, 'ADMIN')
  await makePerson(server, 'MANAGER')
  manager = await signIn(server, 'MANAGER')
})

/** One row per entity, created once; tests do not depend on each other's changes in it. */
const rows = new Map<string, Promise<Json>>()
function rowOf(name: string): Promise<Json> {
  const row = rows.get(name) ?? makeRow(makePool(admin), name)
  rows.set(name, row)
  return row
}

/** A body per entity; only the last test creates a row from it. */
const bodies = new Map<string, Promise<Record<string, unknown>>>()
function bodyOf(name: string): Promise<Record<string, unknown>> {
  const body = bodies.get(name) ?? makeBody(makePool(admin), name)
  bodies.set(name, body)
  return body
}

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

/** Texts without format, which are stored as sent. */
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

/** A reply lists at most twenty issues. */
const portionsOf = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / ISSUES_LISTED) }, (_, portion) =>
    all.slice(portion * ISSUES_LISTED, (portion + 1) * ISSUES_LISTED),
  )

const namedIn = (body: Record<string, unknown>): string[] => Object.keys((body.formErrors as object | undefined) ?? {})

/** Sends invalid values; returns the rejected fields in the order of the values. */
async function refusedFields(path: string, values: readonly (readonly [string, unknown])[]): Promise<string[]> {
  const refused: string[] = []
  for (const portion of portionsOf(values)) {
    const reply = await ask(admin, 'PATCH', path, Object.fromEntries(portion))
    expect(reply.status, JSON.stringify(reply.body)).toBe(422)
    const named = namedIn(reply.body)
    refused.push(...portion.flatMap(([key]) => (named.includes(key) ? [key] : [])))
    expect(named.filter((key) => !portion.some(([sent]) => sent === key))).toEqual([])
  }
  return refused
}

/** Expects that free fields store the text and others store or reject it by name. */
async function expectKeptOrRefused(path: string, fields: readonly [string, TextField][], text: string): Promise<void> {
  const save = (keys: readonly string[]) =>
    ask(admin, 'PATCH', path, Object.fromEntries(keys.map((key) => [key, `  ${text} `])))
  const all = await save(fields.map(([key]) => key))
  const refused = namedIn(all.body)
  if (isTakenElsewhere(all.body)) return
  expect([200, 422], JSON.stringify(all.body)).toContain(all.status)
  const free = fields.flatMap(([key, field]) => (isFree(field) && text.length <= maxLength(field) ? [key] : []))
  expect([text, free.filter((key) => refused.includes(key))]).toEqual([text, []])
  const kept = fields.flatMap(([key]) => (refused.includes(key) ? [] : [key]))
  const saved = all.status === 200 || kept.length === 0 ? all : await save(kept)
  const read = fields.flatMap(([key, { writeOnly }]) => (kept.includes(key) && writeOnly !== true ? [[key, text]] : []))
  if (kept.length > 0) expect([saved.status, saved.body]).toMatchObject([200, Object.fromEntries(read)])
}

/** An alternative title may not repeat another country's title. */
const isTakenElsewhere = ({ reasons }: Record<string, unknown>): boolean =>
  Array.isArray(reasons) && reasons.some(({ code }: { code: string }) => code === 'title_exists')

test.each(EDITED)(
  '%s: texts are kept as they are, trimmed, or refused on their field [API-05] [FORM-03]',
  async (name) => {
    const path = `${name}/${(await rowOf(name)).id}`
    const fields = fieldsOfKind(name, ['text'])
    const tooLong = fields.map(([key, field]) => [key, 'x'.repeat(maxLength(field) + 1)] as const)
    expect(await refusedFields(path, tooLong)).toEqual(fields.map(([key]) => key))
    // Half of them for each entity: fields of a format share their check.
    const turn = EDITED.indexOf(name) % 2
    for (const text of STRANGE.filter((_, place) => place % 2 === turn)) {
      for (const portion of portionsOf(fields)) await expectKeptOrRefused(path, portion, text)
    }
  },
)

/** A third of them for each entity: fields of a kind share their check. */
const ODD_VALUES = [-2_147_483_649, 1e300, '0.123456789', 'NaN', '2026-02-30', true]

/** Money has at most fourteen digits before the point. */
const isMoney = (value: unknown): boolean => value === 2_147_483_648 || value === -2_147_483_649

test.each(EDITED)(
  '%s: numbers beyond what the record holds are refused on their field [API-05] [FORM-03]',
  async (name) => {
    const path = `${name}/${(await rowOf(name)).id}`
    const before = await done(admin, 'GET', path)
    const fields = fieldsOfKind(name, ['integer', 'decimal', 'date', 'reference'])
    const turn = EDITED.indexOf(name) % 3
    for (const value of [2_147_483_648, '9'.repeat(30), ...ODD_VALUES.filter((_, place) => place % 3 === turn)]) {
      const keys = fields.flatMap(([key, { kind }]) => (kind === 'decimal' && isMoney(value) ? [] : [key]))
      const refusals = await refusedFields(
        path,
        keys.map((key) => [key, value] as const),
      )
      expect([String(value), refusals]).toEqual([String(value), keys])
    }
    expect(await done(admin, 'GET', path)).toEqual(before)
  },
)

/** A value that no field of the kind accepts; undefined if every value is valid. */
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

type WrongValue = readonly [string, unknown]

/** References are separate, because their rows are looked up only if everything else is valid. */
function wrongValues(fields: readonly (readonly [string, Field])[]): WrongValue[][] {
  const isReference = ([, { kind }]: readonly [string, Field]): boolean => kind.startsWith('reference')
  const toValues = (some: typeof fields): WrongValue[] =>
    some.flatMap(([key, field]) => (wrongFor(field) === undefined ? [] : [[key, wrongFor(field)] as const]))
  return [toValues(fields.filter(isReference)), toValues(fields.filter((one) => !isReference(one)))].filter(
    (some) => some.length > 0,
  )
}

test.each(EDITED)(
  '%s: what a field does not take, in it or in a row below, is refused where it stands [API-05] [FORM-03] [FORM-05]',
  async (name) => {
    const row = await rowOf(name)
    const errorsOf = async (body: Record<string, unknown>): Promise<Record<string, unknown>> => {
      const reply = await ask(admin, 'PATCH', `${name}/${row.id}`, body)
      expect(reply.status, JSON.stringify([body, reply.body]).slice(0, 500)).toBe(422)
      return reply.body.formErrors as Record<string, unknown>
    }
    const fields = Object.entries(entityOf(name).fields).filter(([, one]) => isWritable(one, false) && !one.fixed)
    // Fields that depend on a reference may be invalid together with it.
    for (const wrong of wrongValues(fields))
      for (const portion of portionsOf(wrong))
        expect(Object.keys(await errorsOf(Object.fromEntries(portion)))).toEqual(
          expect.arrayContaining(portion.map(([key]) => key)),
        )
    for (const [key, field] of fields) {
      if (field.kind !== 'children') continue
      const below = Object.entries(entityOf(field.of).fields).filter(
        ([own, one]) => own !== field.by && isWritable(one, true),
      )
      for (const wrong of wrongValues(below)) {
        const expected = Object.fromEntries(wrong.map(([own]) => [own, [expect.any(String)]]))
        expect(await errorsOf({ [key]: [Object.fromEntries(wrong)] }), key).toMatchObject({ [key]: { 0: expected } })
      }
    }
  },
)

test.each(EDITED)(
  '%s: a reference to what is missing, switched off or out of sight is refused on its field [API-05] [PERM-07]',
  async (name) => {
    const body = await bodyOf(name)
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
    const row = await done(admin, 'GET', `${name}/${(await rowOf(name)).id}`)
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
    // Other rows refer to it, so it becomes active again.
    if (flag !== undefined) await done(admin, 'PATCH', `${name}/${row.id}`, { active: true })
  },
)

test.each(EDITED)('%s: the same creation twice is one row [API-05]', async (name) => {
  const body = await bodyOf(name)
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
