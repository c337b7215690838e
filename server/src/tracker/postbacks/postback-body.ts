// Parses the parameters of a postback from its query and its body (form or JSON). The body overrides the query.

import type { IncomingMessage } from 'node:http'
import { isParameter } from '../param-aliases.ts'
import { cleanText, readQuery } from '../query-text.ts'
import { type Params, type Rejection, rejection } from './postback-event.ts'

export interface ReadParams {
  params: Params
  flaw?: Rejection
}

const URL_CAP = 4096
const BODY_CAP = 64 * 1024
const MAX_NAMES = 100
const NAME_CAP = 64
const VALUE_CAP = 2048

export async function readParams(request: IncomingMessage, query: string): Promise<ReadParams> {
  if (query.length > URL_CAP)
    return { params: {}, flaw: rejection(413, 'too_large', `The address is longer than ${URL_CAP} characters.`) }
  const ofQuery = readQuery(query)
  const body = request.method === 'POST' ? await readBody(request) : ''
  const params = ofQuery === null ? {} : collect(ofQuery)
  if (ofQuery === null) return { params, flaw: wrongEncoding('address') }
  if (body === null) return { params, flaw: rejection(413, 'too_large', `The body is larger than ${BODY_CAP} bytes.`) }
  if (body.trim() === '') return { params }
  const ofBody = await readFields(request, body)
  if (!(ofBody instanceof Map)) return { params, flaw: ofBody }
  return { params: { ...params, ...collect(ofBody) } }
}

async function readFields(request: IncomingMessage, body: string): Promise<Map<string, string> | Rejection> {
  if (isJson(request, body)) return readJson(body)
  const type = request.headers['content-type'] ?? ''
  if (/^multipart\/form-data\b/i.test(type)) return readParts(type, body)
  return readQuery(body.trim()) ?? wrongEncoding('body')
}

/** Parses a multipart form, which some libraries send; files are ignored. */
async function readParts(type: string, body: string): Promise<Map<string, string> | Rejection> {
  try {
    const form = await new Response(body, { headers: { 'content-type': type } }).formData()
    const texts = [...form].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : []))
    return texts.some((pair) => pair.some(isUnprintable)) ? wrongEncoding('body') : new Map(texts)
  } catch {
    return wrongBody('a form')
  }
}

const wrongEncoding = (place: string): Rejection =>
  rejection(400, 'wrong_encoding', `The ${place} is not correctly encoded, or holds control characters.`)

const isJson = (request: IncomingMessage, body: string): boolean =>
  /[/+]json\b/i.test(request.headers['content-type'] ?? '') ||
  (request.headers['content-type'] === undefined && body.trim().startsWith('{'))

/** Null if the body is too large. It uses events, because an async iterator would add a tenth to the CPU time of a postback. */
function readBody(request: IncomingMessage): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= BODY_CAP) chunks.push(chunk)
    })
    request.on('end', () => resolve(size > BODY_CAP ? null : textOf(chunks)))
    request.on('error', reject)
    request.on('close', () => reject(new Error('the sender has hung up')))
  })
}

const textOf = (chunks: readonly Buffer[]): string =>
  (chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))?.toString('utf8') ?? ''

/** Numbers stay as they were written, so that a sum never becomes a float. The types of JSON.parse lack the reviver's `source`. */
const parseJson = JSON.parse as (
  text: string,
  revive: (name: string, member: unknown, context: { source?: string }) => unknown,
) => unknown

function readJson(body: string): Map<string, string> | Rejection {
  try {
    const value = parseJson(body, (_, member, { source }) => (typeof member === 'number' ? (source ?? member) : member))
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return wrongBody('an object of parameters')
    const members = Object.entries(value).filter(([, member]) => member !== null)
    const nested = members.find(([name, member]) => typeof member === 'object' && isParameter(name))
    if (nested) return rejection(422, 'wrong_body', `The parameter ${nested[0]} is neither a text nor a number.`)
    const texts = members.map(([name, member]): [string, string] => [
      name,
      typeof member === 'object' ? JSON.stringify(member) : String(member),
    ])
    return texts.some((pair) => pair.some(isUnprintable)) ? wrongEncoding('body') : new Map(texts)
  } catch {
    return wrongBody('JSON')
  }
}

/** A text may contain tabs and line ends, but no other control characters. */
const UNPRINTABLE = /(?![\t\r\n])\p{Cc}/u
const isUnprintable = (text: string): boolean => UNPRINTABLE.test(text)

const wrongBody = (what: string): Rejection => rejection(400, 'wrong_body', `The body is not ${what}.`)

function collect(values: ReadonlyMap<string, string>): Record<string, string> {
  const params: Record<string, string> = {}
  for (const [name, value] of [...values].slice(0, MAX_NAMES)) {
    const key = cleanText(name, NAME_CAP)
    const text = cleanText(value, VALUE_CAP)
    if (key !== null && key !== '__proto__' && text !== null) params[key] = text
  }
  return params
}
