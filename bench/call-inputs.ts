// Makes hostile inputs for every declared route: bodies and queries that are long, wide, deep or many, up to the accepted size. It reads
// the registries, so that new calls, entities and reports are measured without a change here.

import {
  BODY_LIMITS,
  type BodyLimits,
  type Call,
  ENTITY_BODY_LIMITS,
  PUBLIC_BODY_LIMITS,
  REPORT_BODY_LIMITS,
} from '@tributary/contract/call'
import { CALLS } from '@tributary/contract/calls/registry'
import { ENTITIES } from '@tributary/contract/entities/registry'
import type { Entity } from '@tributary/contract/entity'
import { OPERATORS } from '@tributary/contract/list-query'
import { REPORTS } from '@tributary/contract/reports/registry'
import { SELECTION_BODY_LIMITS, selectionSchema } from '@tributary/contract/selection'
import { type ZodType, z } from 'zod'
import { writeSchema } from '../server/src/api/entity-schema.ts'

export interface Input {
  /** Route and kind of input: 'POST token/refresh body.wide'. */
  readonly title: string
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

interface Route {
  readonly method: string
  readonly path: string
  readonly body?: ZodType | undefined
  readonly query?: ZodType | undefined
  readonly limits: BodyLimits
}

/** Longest URL that fits beside the other headers. */
const ADDRESS_BYTES = 60_000
/** Id of an existing row; calls that act on accounts get an id that does not exist. */
const idOf = (path: string): string => (/^(user|profile|api_key)\b/.test(path) ? '999999' : '1')

/** Maximum number of measured places with the same schema in a body. */
const ALIKE = 2

export function* hostileInputs(): Generator<Input> {
  for (const route of routes()) {
    if (route.method !== 'GET') yield* bodyInputs(route)
    if (route.query !== undefined) yield* queryInputs(route)
    yield* [{ title: `${route.method} ${route.path} id`, method: route.method, path: withId(route, 'a'.repeat(2048)) }]
  }
  for (const entity of Object.values<Entity>(ENTITIES)) yield* listInputs(entity)
}

function* routes(): Generator<Route> {
  for (const call of Object.values<Call>(CALLS)) yield routeOf(call)
  for (const report of REPORTS) {
    const { path, access, request: body, calls } = report
    const own: Call = { name: report.name, method: 'POST', path, access, body }
    for (const call of [own, ...calls]) yield routeOf({ bodyLimits: REPORT_BODY_LIMITS, ...call })
  }
  for (const entity of Object.values<Entity>(ENTITIES)) {
    const { name } = entity
    const limits = { ...BODY_LIMITS, ...ENTITY_BODY_LIMITS }
    yield { method: 'POST', path: name, body: writeSchema(entity, true), limits }
    yield { method: 'PATCH', path: `${name}/:id`, body: writeSchema(entity, false), limits }
    const selecting = { ...BODY_LIMITS, ...SELECTION_BODY_LIMITS }
    yield { method: 'PUT', path: `${name}/activate?activate=1`, body: selectionSchema, limits: selecting }
    yield { method: 'POST', path: `${name}/export`, body: selectionSchema, limits: selecting }
  }
}

function routeOf({ method, path, access, body, query, bodyLimits }: Call): Route {
  const base = access === 'public' ? PUBLIC_BODY_LIMITS : BODY_LIMITS
  return { method, path, body, query, limits: { ...base, ...bodyLimits } }
}

const withId = ({ path }: Pick<Route, 'path'>, id?: string): string =>
  path.replace(/:\w+/g, (name) => (name === ':entity' ? 'offer' : (id ?? idOf(path))))

interface Schema {
  readonly type?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
}

/** Repeated, these characters make a careless regular expression backtrack. */
const PIECES = ['a', ' ', '0', 'a.', '{', '%', '1,', '\\\\', 'https://']

const schemaOf = (type: ZodType): Schema => z.toJSONSchema(type, { io: 'input', unrepresentable: 'any' }) as Schema

function* bodyInputs(route: Route): Generator<Input> {
  const { limits, method } = route
  const path = withId(route)
  const make = (kind: string, body: string): Input => ({
    title: `${method} ${route.path} body.${kind}`,
    method,
    path,
    body,
  })
  const beyond = '1'.repeat(limits.bytes)
  yield make('too long', `{"a":${beyond}}`)
  yield make('too deep', `{"a":${'['.repeat(limits.bytes - 6)}`)
  yield make('too wide', objectOf(Math.floor(limits.bytes / 12)))
  yield make('too many', `{"a":[${list(Math.floor(limits.bytes / 2) - 10, () => '1')}]}`)
  yield make('wide', objectOf(Math.min(limits.width, limits.members, limits.bytes / 12)))
  yield make('escaped', `{"a":"${'\\u0061'.repeat(limits.bytes / 6 - 10)}"}`)
  if (route.body === undefined) return
  const schema = schemaOf(route.body)
  const valid = exampleOf(schema)
  const measured = new Map<string, number>()
  for (const [name, at] of placesOf(schema)) {
    const kind = JSON.stringify(at)
    const times = (measured.get(kind) ?? 0) + 1
    measured.set(kind, times)
    if (times > ALIKE) continue
    for (const [shape, value] of hostileValues(at, limits))
      yield make(`${name} ${shape}`, write(valid, name.split('.'), value))
  }
}

const list = (length: number, item: (index: number) => string): string =>
  Array.from({ length: Math.max(0, Math.floor(length)) }, (_, index) => item(index)).join()
const objectOf = (members: number): string => `{${list(members, (index) => `"k${index}":1`)}}`

/** Paths of all members of the body's objects. */
function* placesOf(schema: Schema, before: readonly string[] = []): Generator<[string, Schema]> {
  for (const [name, at] of Object.entries(schema.properties ?? {})) {
    const path = [...before, name]
    yield [path.join('.'), at]
    yield* placesOf(at, path)
  }
}

/** JSON texts to insert at one place of a body. */
function* hostileValues(at: Schema, { bytes, members, width, depth }: BodyLimits): Generator<[string, string]> {
  const room = bytes - 3000
  const many = Math.min(members - 100, room / 2)
  const types = JSON.stringify(at)
  if (types.includes('"string"'))
    for (const piece of PIECES) yield [`long ${piece}`, `"${piece.repeat(room / piece.length)}!"`]
  if (types.includes('"array"') || !types.includes('"type"')) {
    yield ['many ids', `[${list(Math.min(many, room / 6), (index) => String(index + 1))}]`]
    yield ['many negative', `[${list(Math.min(many, room / 3), () => '-1')}]`]
    yield ['many texts', `[${list(Math.min(many, room / 8), (index) => `"${index}"`)}]`]
    yield ['many objects', `[${list(Math.min(many / 2, room / 9), () => '{"a":1}')}]`]
    yield ['many uuids', `[${list(Math.min(many, room / 39), () => '"00000000-0000-4000-8000-000000000000"')}]`]
    const rows = Math.min(many / (width + 1), room / (width * 11))
    yield ['many wide', `[${list(rows, () => objectOf(width - 1))}]`]
  }
  if (types.includes('"object"') || !types.includes('"type"')) {
    yield ['wide', objectOf(Math.min(width - 1, many, room / 12))]
    yield ['wide lists', `{"in":[${list(many, () => '1')}],"nin":[]}`]
    yield ['deep', `${'{"a":'.repeat(depth - 4)}1${'}'.repeat(depth - 4)}`]
  }
  if (types.includes('"number"') || types.includes('"integer"')) yield ['long number', '9'.repeat(room)]
}

/** The smallest body that the schema may accept. */
function exampleOf(schema: Schema): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  if (schema.anyOf !== undefined) return exampleOf(schema.anyOf[0] ?? {})
  if (schema.type === 'object')
    return Object.fromEntries((schema.required ?? []).map((name) => [name, exampleOf(schema.properties?.[name] ?? {})]))
  return { string: '1', number: 1, integer: 1, boolean: true, array: [], null: null }[schema.type ?? 'null']
}

/** The body's text with the value's text at one place. */
function write(body: unknown, path: readonly string[], text: string): string {
  const [name = '', ...rest] = path
  const members = typeof body === 'object' && body !== null && !Array.isArray(body) ? Object.entries(body) : []
  const inner = members.find(([key]) => key === name)?.[1]
  const others = members
    .filter(([key]) => key !== name)
    .map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`)
  const own = `${JSON.stringify(name)}:${rest.length === 0 ? text : write(inner, rest, text)}`
  return `{${[...others, own].join()}}`
}

const QUERY_PIECES = ['a', '+', 'a.', '%25', '1|', '%F0%9F%98%80']

function* queryInputs(route: Route): Generator<Input> {
  const { method } = route
  const base = withId(route)
  const make = (kind: string, query: string): Input => ({
    title: `${method} ${route.path} query.${kind}`,
    method,
    path: `${base}${base.includes('?') ? '&' : '?'}${query.slice(0, ADDRESS_BYTES)}`,
  })
  yield* commonQueries(make)
  for (const name of Object.keys(schemaOf(route.query ?? z.object({})).properties ?? {})) {
    yield make(`${name} repeated`, `${name}=1&`.repeat(ADDRESS_BYTES / (name.length + 3)))
    for (const piece of QUERY_PIECES)
      yield make(`${name} long ${piece}`, `${name}=${piece.repeat(ADDRESS_BYTES / piece.length)}`)
  }
}

function* commonQueries(make: (kind: string, query: string) => Input): Generator<Input> {
  yield make('wide', list(ADDRESS_BYTES / 8, (index) => `k${index}`).replaceAll(',', '&'))
  yield make('ampersands', '&'.repeat(ADDRESS_BYTES))
  yield make('question marks', '?'.repeat(ADDRESS_BYTES))
  yield make('equals', '='.repeat(ADDRESS_BYTES))
  yield make('brackets', `filter${'[a]'.repeat(ADDRESS_BYTES / 3)}=1`)
  yield make('open brackets', `filter${'['.repeat(ADDRESS_BYTES)}`)
}

function* listInputs(entity: Entity): Generator<Input> {
  for (const path of [entity.name, `${entity.name}/export`]) {
    const make = (kind: string, query: string): Input => ({
      title: `GET ${path} query.${kind}`,
      method: 'GET',
      path: `${path}?${query.slice(0, ADDRESS_BYTES).replace(/&[^&]*$/, '')}`,
    })
    yield* commonQueries(make)
    for (const piece of QUERY_PIECES)
      yield make(`query long ${piece}`, `query=${piece.repeat(ADDRESS_BYTES / piece.length)}`)
    const paths = [...new Set(['id', ...entity.list.filters])]
    for (const name of paths) {
      yield make(`${name} in`, `filter[${name}][in][]=1&`.repeat(ADDRESS_BYTES / (name.length + 17)))
      yield make(`${name} nin`, `filter[${name}][nin]=${'1|'.repeat(ADDRESS_BYTES / 2)}`)
      yield make(`${name} like`, `filter[${name}][like]=${'a'.repeat(ADDRESS_BYTES)}`)
      yield make(`${name} nested`, `filter[${`${name}.`.repeat(ADDRESS_BYTES / (name.length + 1) - 20)}id]=1`)
    }
    const every = paths.flatMap((name) => OPERATORS.map((operator) => `filter[${name}][${operator}]=1`)).join('&')
    yield make('every filter', every)
    yield make('filters repeated', `${every}&`.repeat(ADDRESS_BYTES / every.length + 1))
    const orders = entity.list.columns.map((name) => `order[${name}]=ASC`).join('&')
    yield make('orders repeated', `${orders}&`.repeat(ADDRESS_BYTES / (orders.length + 1) + 1))
    yield make('columns', 'columns[]=id&'.repeat(ADDRESS_BYTES / 13))
    yield make('all', 'limit=-1&page=1')
  }
}
