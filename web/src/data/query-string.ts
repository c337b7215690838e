// Query rules of the wire: empty values removed, booleans as 1/0, arrays and objects in bracket form.

export type QueryValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly QueryValue[]
  | { readonly [key: string]: QueryValue }
export type Query = Iterable<readonly [string, string]> | { readonly [key: string]: QueryValue }

/** '' or '?a=1&b[]=2'. */
export function writeQuery(query: Query | undefined): string {
  if (query === undefined) return ''
  const params = new URLSearchParams()
  if (Symbol.iterator in query)
    for (const [key, value] of query as Iterable<readonly [string, string]>) append(params, key, value)
  else for (const [key, value] of Object.entries(query as Record<string, QueryValue>)) append(params, key, value)
  const text = params.toString()
  return text === '' ? '' : `?${text}`
}

function append(params: URLSearchParams, key: string, value: QueryValue): void {
  if (value === '' || value === null || value === undefined) return
  if (typeof value === 'boolean') params.append(key, value ? '1' : '0')
  else if (typeof value !== 'object') params.append(key, String(value))
  else if (Array.isArray(value)) for (const item of value as readonly QueryValue[]) append(params, `${key}[]`, item)
  else for (const [name, inner] of Object.entries(value)) append(params, `${key}[${name}]`, inner)
}
