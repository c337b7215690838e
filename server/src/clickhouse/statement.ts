// Builds the text of one statement for both ClickHouse clients: typed parameters {name:Type} and settings. No parameter may be missing.

/** Values of the placeholders by name. */
export type Params = Readonly<Record<string, unknown>>
/** Settings of one statement by name. */
export type Settings = Readonly<Record<string, string | number>>

const PLACEHOLDER = /\{\s*([A-Za-z_]\w*)\s*:\s*[A-Za-z]/g
const NAME = /^[A-Za-z_]\w*$/

/** Throws if a placeholder has no value, because a session would otherwise use the value of an earlier query. */
export function requireParams(sql: string, params: Params): void {
  for (const [, name] of sql.matchAll(PLACEHOLDER)) {
    if (name !== undefined && params[name] === undefined) throw new Error(`the statement has no value for {${name}}`)
  }
}

/**
 * `SET param_name = '…', …` for all parameters, or ''. The engine parses each value by the type of its placeholder, so it cannot change the
 * statement. The driver must not bind the values, because chDB runs bound queries of all sessions one at a time.
 */
export function setParams(params: Params): string {
  const names = Object.keys(params)
  if (names.length === 0) return ''
  return `SET ${names.map((name) => `param_${checkName(name)} = '${quote(formatParam(params[name]))}'`).join(', ')}`
}

/** Formats a value as the engine parses parameters: TSV escapes at the top level, quoted strings inside arrays. */
function formatParam(value: unknown, isNested = false): string {
  if (value === null || value === undefined) return isNested ? 'NULL' : '\\N'
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  if (typeof value === 'boolean') return value ? '1' : '0'
  if (typeof value === 'string') return isNested ? `'${escapeText(value)}'` : escapeText(value)
  if (Array.isArray(value)) return `[${value.map((item) => formatParam(item, true)).join(',')}]`
  if (value instanceof Date) return (value.getTime() / 1000).toFixed(3)
  throw new Error('a parameter is a text, a number, a boolean, a date, null or an array of these')
}

const ESCAPES: Record<string, string> = { '\\': '\\\\', "'": "\\'", '\t': '\\t', '\n': '\\n', '\r': '\\r', '\0': '\\0' }
const escapeText = (text: string): string =>
  text.replace(/[\\'\t\n\r\0]/g, (character) => ESCAPES[character] ?? character)

/** `SETTINGS a = 1` for the end of a statement. Settings are part of the text, because SET would change the session for later statements. */
export function settingsClause(settings: Settings): string {
  const entries = Object.entries(settings)
  if (entries.length === 0) return ''
  const texts = entries.map(
    ([name, value]) => `${checkName(name)} = ${typeof value === 'number' ? value : `'${quote(value)}'`}`,
  )
  return `\nSETTINGS ${texts.join(', ')}`
}

/** Returns the name if it is safe in SQL; throws otherwise. */
export function checkName(name: string): string {
  if (!NAME.test(name)) throw new Error(`"${name}" is not a name`)
  return name
}

const quote = (text: string): string => text.replace(/[\\']/g, '\\$&')

/** Converts a ClickHouse time in UTC to ISO 8601: '2026-03-01 12:00:00.000' → '2026-03-01T12:00:00.000Z'. */
export const isoOf = (text: string): string => `${text.replace(' ', 'T')}Z`
