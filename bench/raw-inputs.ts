// Makes hostile inputs that no schema declares: headers, forms and tracker requests.

import type { Input } from './call-inputs.ts'

const HEADER_BYTES = 55_000
const repeat = (piece: string, bytes = HEADER_BYTES): string => piece.repeat(Math.floor(bytes / piece.length))

const HEADERS: Readonly<Record<string, readonly string[]>> = {
  'accept-language': [repeat('en;q=0.1,'), repeat(','), repeat(' '), `${repeat('en;')}q`, repeat('q=1;')],
  'accept-encoding': [repeat('gzip;q=0.1,'), repeat(','), repeat('a'), repeat('br;q=0.00001, ')],
  'x-forwarded-for': [repeat('1.1.1.1,'), repeat(','), repeat('a')],
  authorization: [
    `Bearer ${repeat('a')}`,
    `Bearer ${repeat(' ')}`,
    `Bearer ${repeat('a', 18_000)}.${repeat('b', 18_000)}.${repeat('c', 18_000)}`,
  ],
  'additional-groups': [repeat('detailed,'), repeat(', ')],
  'group-filter': [repeat('1'), repeat(',')],
  'x-request-id': [repeat('a')],
  'idempotency-key': [repeat('a')],
  'content-type': [
    `application/json${repeat(';a=b')}`,
    `application/json;${repeat(' ')}`,
    `multipart/form-data; boundary=${repeat('a')}`,
    repeat('/'),
  ],
  'if-none-match': [repeat('"a",'), repeat('W/')],
  range: [`bytes=${repeat('0-0,')}`, `bytes=${repeat('-')}`],
  cookie: [repeat('a=b;')],
  'user-agent': [repeat('a'), repeat('Mozilla/5.0 ('), repeat('bot ')],
  referer: [`https://${repeat('a.')}`],
}
const TARGETS = [
  ['GET', 'profile'],
  ['GET', 'offer_partner'],
  ['POST', 'token?2fa=true'],
  ['POST', 'product'],
  ['GET', '/'],
  ['GET', '/nothing'],
  ['GET', 'nothing'],
  ['POST', 'nothing'],
] as const

export function* rawInputs(): Generator<Input> {
  for (const [method, path] of TARGETS) {
    for (const [name, values] of Object.entries(HEADERS))
      for (const value of values)
        yield {
          title: `${method} ${path} header ${name} ${value.slice(0, 12)}`,
          method,
          path,
          headers: { [name]: value },
          ...(method === 'POST' && { body: '{}' }),
        }
    yield {
      title: `${method} ${path} long address`,
      method,
      path: `${path}${path.includes('?') ? '&' : '?'}${'?'.repeat(60_000)}`,
    }
    yield { title: `${method} ${path} many headers`, method, path, headers: manyHeaders() }
  }
  for (const path of ['docs', 'docs/json', '/metrics', 'health/ready'])
    yield { title: `GET ${path}`, method: 'GET', path }
  yield* formInputs()
  yield* trackerInputs()
}

const manyHeaders = (): Record<string, string> =>
  Object.fromEntries(Array.from({ length: 1900 }, (_, index) => [`x-${index}`, '1']))

const BOUNDARY = 'limit'
const UPLOAD_BYTES = 8 * 1024 * 1024

function* formInputs(): Generator<Input> {
  const head = (more: string): string => `--${BOUNDARY}\r\ncontent-disposition: form-data; ${more}\r\n\r\n`
  const end = `\r\n--${BOUNDARY}--\r\n`
  const file = head('name="file"; filename="a.xlsx"')
  const forms: Readonly<Record<string, string>> = {
    'many fields': repeat(`${head('name="a"')}1\r\n`, UPLOAD_BYTES) + end,
    'many files': repeat(`${file}1\r\n`, UPLOAD_BYTES) + end,
    'long field': `${head('name="a"')}${'a'.repeat(UPLOAD_BYTES)}${end}`,
    'long field name': `${head(`name="${'a'.repeat(UPLOAD_BYTES)}"`)}1${end}`,
    'long file name': `${head(`name="file"; filename="${'a'.repeat(70_000)}.xlsx"`)}1${end}`,
    'directions in a file name': `${head(`name="file"; filename="${'\u202e'.repeat(20_000)}.xlsx"`)}1${end}`,
    'dots in a file name': `${head(`name="file"; filename="${'.'.repeat(60_000)}/"`)}1${end}`,
    'many part headers': `--${BOUNDARY}\r\n${'a: b\r\n'.repeat(UPLOAD_BYTES / 6)}\r\n1${end}`,
    'almost boundaries': `${file}${repeat(`\r\n--${BOUNDARY.slice(0, 4)}`, UPLOAD_BYTES)}${end}`,
    'line ends': `${file}${repeat('\r\n', UPLOAD_BYTES)}${end}`,
    'no spreadsheet': `${file}${'a'.repeat(UPLOAD_BYTES)}${end}`,
  }
  for (const path of ['file', 'player/import'])
    for (const [kind, body] of Object.entries(forms))
      yield {
        title: `POST ${path} form ${kind}`,
        method: 'POST',
        path,
        body,
        headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
      }
}

const LINK = '0b0e0b0e-0000-4000-8000-000000000001'
const TRACKER_BODY = 63_000

function* trackerInputs(): Generator<Input> {
  const json = { 'content-type': 'application/json' }
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const wide = Array.from({ length: 5000 }, (_, index) => `k${index}`)
  const queries: Readonly<Record<string, string>> = {
    wide: wide.join('&'),
    long: `click_id=${'a'.repeat(3900)}`,
    encoded: `click_id=${'%41'.repeat(1300)}`,
    marks: '?'.repeat(60_000),
    ampersands: '&'.repeat(60_000),
  }
  for (const path of [`/c/${LINK}`, `/postback/${LINK}`]) {
    for (const [kind, query] of Object.entries(queries))
      yield {
        title: `GET ${path.slice(0, 9)} query.${kind}`,
        method: 'GET',
        path: `${path}?${query}`,
        headers: { authorization: '' },
      }
  }
  const bodies: readonly (readonly [string, string, Record<string, string>])[] = [
    ['json wide', `{${wide.map((name) => `"${name}":1`).join()}}`, json],
    ['json deep', `{"a":${'['.repeat(TRACKER_BODY / 2)}${']'.repeat(TRACKER_BODY / 2 - 10)}}`, json],
    ['json long', `{"click_id":"${'a'.repeat(TRACKER_BODY)}"}`, json],
    ['json numbers', `{"a":[${'1,'.repeat(TRACKER_BODY / 2)}1]}`, json],
    ['form wide', repeat('a=1&', TRACKER_BODY), form],
    ['form encoded', `a=${repeat('%41', TRACKER_BODY)}`, form],
    [
      'form of parts',
      `${repeat(`--${BOUNDARY}\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n`, TRACKER_BODY)}--${BOUNDARY}--\r\n`,
      { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
    ],
  ]
  for (const [kind, body, headers] of bodies)
    yield { title: `POST /postback body.${kind}`, method: 'POST', path: `/postback/${LINK}`, body, headers }
}
