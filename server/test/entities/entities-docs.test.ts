// The served documentation equals the registry: every open call of every entity, its fields, and nothing else.

import { CALLS } from '@tributary/contract/calls/registry'
import { ENTITY_NAMES } from '@tributary/contract/entities/registry'
import { isWritable } from '@tributary/contract/validate'
import { fieldDefinition } from '@tributary/contract/words/definition'
import { definitionsEn } from '@tributary/contract/words/en/definitions'
import { beforeAll, expect, test } from 'vitest'
import { fieldsOf, isWriteOnly } from '../../src/entities/engine/model/model.ts'
import { ENTITY_MODULES } from '../support/entity-calls.ts'
import { entityOf } from '../support/entity-rows.ts'
import { startTestApp } from '../support/harness.ts'
import { send } from '../support/sign-in.ts'

interface Schema {
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  anyOf?: Schema[]
  items?: Schema
}

interface Operation {
  parameters?: { name: string; in: string }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}

let paths: Record<string, Record<string, Operation>>

beforeAll(async () => {
  const server = await startTestApp({ modules: ENTITY_MODULES })
  const answer = await send(server.url, 'GET', 'docs/json')
  const document = (await answer.json()) as { openapi: string; paths: typeof paths }
  expect(document.openapi).toMatch(/^3\.1/)
  paths = document.paths
})

const isOpen = (requirement: unknown): boolean =>
  requirement === 'everyone' || ((requirement as { roles?: unknown[] }).roles ?? []).length > 0

/** Entities with a call of their own instead of the generic one. */
const OWN_POST: readonly string[] = Object.values(CALLS).flatMap(({ method, path }) =>
  method === 'POST' ? [path] : [],
)

const sorted = (names: Iterable<string>): string[] => [...names].sort((a, b) => a.localeCompare(b))

test.each(ENTITY_NAMES)('%s is documented: its open calls and no others [API-04]', (name) => {
  const { create, edit, remove } = entityOf(name).access
  expect(sorted(Object.keys(paths[`/api/${name}`] ?? {}))).toEqual(
    sorted(['get', ...(isOpen(create) || OWN_POST.includes(name) ? ['post'] : [])]),
  )
  const single = ['get', ...(isOpen(edit) ? ['put', 'patch'] : []), ...(isOpen(remove) ? ['delete'] : [])]
  expect(sorted(Object.keys(paths[`/api/${name}/{id}`] ?? {}))).toEqual(sorted(single))
})

test.each(ENTITY_NAMES)('%s is documented with the definitions of its fields [API-04]', (name) => {
  const row = paths[`/api/${name}/{id}`]?.get?.responses['200']?.content?.['application/json']?.schema
  for (const [field, { description = '' }] of Object.entries(row?.properties ?? {}))
    expect([field, description]).toEqual([
      field,
      expect.stringContaining(fieldDefinition(definitionsEn, name, field) ?? 'a definition'),
    ])
})

test.each(ENTITY_NAMES)('%s is documented with its fields: read, written, filtered [API-04]', (name) => {
  const entity = entityOf(name)
  const single = paths[`/api/${name}/{id}`]?.get
  const row = single?.responses['200']?.content?.['application/json']?.schema
  expect(sorted(Object.keys(row?.properties ?? {}))).toEqual(
    sorted([...fieldsOf(entity)].filter(([, field]) => !isWriteOnly(field)).map(([field]) => field)),
  )
  const parameters = paths[`/api/${name}`]?.get?.parameters?.map((parameter) => parameter.name) ?? []
  for (const path of entity.list.filters) expect(parameters).toContain(`filter[${path}]`)
  for (const path of entity.list.columns) expect(parameters).toContain(`order[${path}]`)
  const create = paths[`/api/${name}`]?.post?.requestBody?.content['application/json']?.schema
  if (create === undefined || OWN_POST.includes(name)) return
  const writable = [...fieldsOf(entity)].filter(([, field]) => isWritable(field, true))
  expect(sorted(Object.keys(create.properties ?? {}))).toEqual(sorted(['version', ...writable.map(([field]) => field)]))
  const required = writable.filter(([field, { required: isRequired }]) => isRequired && field !== 'active')
  expect(sorted(create.required ?? [])).toEqual(sorted(required.map(([field]) => field)))
})
