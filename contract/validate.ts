// Validates a row against its entity's fields, in forms and behind the API. Returns message keys, not texts.
import type { Entity } from './entity.ts'
import { type DateField, type DecimalField, type Field, type IntegerField, type TextField, unitOf } from './field.ts'
import { INTEGER_MAX, LONG_TEXT_MAX, TEXT_MAX, URL_MAX } from './limits.ts'
import { findUnknownMacros } from './macros.ts'
import { firstDayOf, isDay, isMonth } from './period.ts'
import { spreadsheetIdOf } from './spreadsheet-id.ts'
import type { MessageKey } from './words/messages.ts'

/** A problem of a field: the key of its message with values. */
export interface Issue {
  readonly key: MessageKey
  readonly values?: Readonly<Record<string, string | number>>
  /** The record where the problem can be fixed. */
  readonly mend?: { readonly entity: string; readonly id: number }
}

/** Problems by field name or path. */
export type Issues = Record<string, Issue[]>

const NONE: readonly Issue[] = []
const one = (key: MessageKey, values?: Issue['values']): readonly Issue[] => [values ? { key, values } : { key }]

/** Control characters that no text may contain. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these characters are rejected
export const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/
const EMAIL = /^[^\s@,;<>()[\]\\"]{1,64}@[^\s@,;<>()[\]\\"]{1,189}\.[^\s@.,;<>()[\]\\"]{2,63}$/
const DECIMAL = /^-?\d{1,40}(?:\.\d{1,40})?$/
/** Letters of any script, and the separators used in names. */
const WORDS = /^\p{L}[\p{L}\p{M}\s.'’-]*$/u
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const TIME = /^([01]\d|2[0-3]):[0-5]\d$/

/** True for a value that counts as not given: null, undefined, '' or an empty list. */
export function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
}

/** Maximum length of a field's text, in characters. */
export function maxLength(field: TextField): number {
  if (field.max !== undefined) return field.max
  if (field.format === 'long') return LONG_TEXT_MAX
  return field.format === 'url' || field.format === 'template' || field.format === 'domain' ? URL_MAX : TEXT_MAX
}

const MOMENT = /^\d{4}-(?:0[1-9]|1[0-2])-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?(?:Z|[+-]\d{2}:\d{2})$/

/** True for an ISO 8601 instant with an offset, on an existing day. */
export const isMoment = (text: string): boolean =>
  MOMENT.test(text) && isDay(text.slice(0, 10)) && !Number.isNaN(Date.parse(text))

/** Validates one value. An empty value is only checked for being required. Children are validated row by row when they are saved. */
export function checkField(field: Field, value: unknown): readonly Issue[] {
  if (isEmpty(value)) return field.required ? one('required') : NONE
  switch (field.kind) {
    case 'text':
      return checkText(field, value)
    case 'integer':
      return checkInteger(field, value)
    case 'decimal':
      return checkDecimal(field, value)
    case 'boolean':
      return typeof value === 'boolean' ? NONE : one('value_invalid')
    case 'date':
      return typeof value === 'string' && isDayOf(field, value) ? NONE : one('date_invalid')
    case 'datetime':
      return typeof value === 'string' && isMoment(value) ? NONE : one('date_invalid')
    case 'choice':
      return typeof value === 'string' && field.options.includes(value) ? NONE : one('choice_unknown')
    case 'choices':
      return Array.isArray(value) && value.every((item) => field.options.includes(item)) ? NONE : one('choice_unknown')
    case 'reference':
      return isId(value) ? NONE : one('value_invalid')
    case 'references':
      return Array.isArray(value) && value.every(isId) ? NONE : one('value_invalid')
    case 'texts':
      return checkTexts(field.max ?? TEXT_MAX, value)
    case 'children':
      return Array.isArray(value) ? NONE : one('value_invalid')
    case 'uuid':
      return typeof value === 'string' && UUID.test(value) ? NONE : one('value_invalid')
    case 'json':
      return isShallow(value) ? NONE : one('value_invalid')
    case 'derived':
      return NONE
  }
}

/** Maximum depth of JSON, so that recursive readers end. */
const JSON_DEPTH = 32

function isShallow(value: unknown): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; depth <= JSON_DEPTH; depth++) {
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []))
    if (level.length === 0) return true
  }
  return false
}

function isId(value: unknown): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= INTEGER_MAX
}

function checkText(field: TextField, value: unknown): readonly Issue[] {
  if (typeof value !== 'string') return one('value_invalid')
  if (CONTROL.test(value) || (field.format !== 'long' && /[\r\n\t]/.test(value))) return one('control_characters')
  if (value.trim() === '') return field.required ? one('not_empty') : NONE
  if (field.min !== undefined && value.trim().length < field.min) return one('min_length', { min: field.min })
  const max = maxLength(field)
  if (value.length > max) return one('max_length', { max })
  const format = field.format ?? 'plain'
  // An invisible character from a paste would make a second code or address that looks like the first.
  if (!PROSE.has(format) && /\p{Cf}/u.test(value)) return one('control_characters')
  return checkFormat(format, value.trim())
}

/** Formats for people, whose texts may need characters of direction; the others are for machines. */
const PROSE: ReadonlySet<NonNullable<TextField['format']>> = new Set(['plain', 'long', 'entity', 'cause', 'words'])

function checkFormat(format: NonNullable<TextField['format']>, value: string): readonly Issue[] {
  switch (format) {
    case 'plain':
    case 'long':
    case 'entity':
    case 'cause':
      return NONE
    case 'token':
      return /[\s,]/.test(value) ? one('no_space_or_comma') : NONE
    case 'email':
      return EMAIL.test(value) ? NONE : one('email_invalid')
    case 'country':
      return /^[A-Z]{2}$/.test(value) ? NONE : one('country_code_invalid')
    case 'domain':
      if (!value.startsWith('https://')) return one('domain_invalid')
      return checkMacros(value) ?? (isUrl(value) ? NONE : one('url_invalid'))
    case 'url':
      return isUrl(value) ? NONE : one('url_invalid')
    case 'template':
      return checkTemplate(value)
    case 'number':
      return checkNumberText(value)
    case 'words':
      return WORDS.test(value) ? NONE : one('only_words')
    case 'spreadsheet':
      return spreadsheetIdOf(value) === null ? one('spreadsheet_invalid') : NONE
    case 'zone':
      return isZone(value) ? NONE : one('zone_unknown')
    case 'time':
      return TIME.test(value) ? NONE : one('time_invalid')
    case 'month':
      return isDay(`${value}-01`) ? NONE : one('date_invalid')
  }
}

/** Another system's numeric id: digits only, no sign, no leading zero. */
function checkNumberText(value: string): readonly Issue[] {
  if (!/^-?\d+(?:[.,]\d+)?$/.test(value)) return one('only_numbers')
  if (!/^\d+$/.test(value) || /^0+$/.test(value)) return one('only_positive_integers')
  return value.startsWith('0') ? one('no_leading_zero') : NONE
}

function isUrl(value: string): boolean {
  if (/\s/.test(value)) return false
  try {
    const { protocol, hostname } = new URL(value)
    return (protocol === 'https:' || protocol === 'http:') && hostname !== ''
  } catch {
    return false
  }
}

/** Rejects bare offsets: they have no DST. 'Etc/GMT-6' is accepted as a named zone. */
function isZone(value: string): boolean {
  if (!/^[A-Za-z]/.test(value)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

function checkMacros(value: string): readonly Issue[] | undefined {
  const unknown = findUnknownMacros(value)
  return unknown.length > 0 ? one('unknown_macro', { names: unknown.join(', ') }) : undefined
}

/** A template is a URL, or the part after the domain, with macros in braces. */
function checkTemplate(value: string): readonly Issue[] {
  const wrong = checkMacros(value)
  if (wrong !== undefined) return wrong
  const filled = value.replace(/\{[^{}]*\}/g, 'x')
  return isUrl(/^[a-z][a-z0-9+.-]*:/i.test(filled) ? filled : `https://host/${filled}`) ? NONE : one('url_invalid')
}

/** Validates a decimal that is a percentage in its row, which rules may have completed. */
export function checkPercentage(
  field: DecimalField,
  row: Readonly<Record<string, unknown>>,
  value: unknown,
): readonly Issue[] {
  if (isEmpty(value) || unitOf(field, row) !== 'percent') return NONE
  const max = field.unit === 'percent' ? field.max : field.percentWhen?.max
  return checkDecimal(max === undefined ? field : { ...field, max }, value)
}

const WHOLE = /^-?\d{1,40}$/

/** Converts a text of digits to its number, as with amounts; returns other values unchanged. */
export const integerOf = (value: unknown): unknown =>
  typeof value === 'string' && WHOLE.test(value) ? Number(value) : value

function checkInteger(field: IntegerField, sent: unknown): readonly Issue[] {
  const value = integerOf(sent)
  if (typeof value === 'string' && DECIMAL.test(value)) return one('only_integers')
  if (typeof value !== 'number' || Number.isNaN(value)) return one('only_numbers')
  if (!Number.isInteger(value)) return one('only_integers')
  return checkBounds(value, field.min ?? -INTEGER_MAX, field.max ?? INTEGER_MAX)
}

function checkDecimal(field: DecimalField, value: unknown): readonly Issue[] {
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text !== 'string' || !DECIMAL.test(text)) return one('only_numbers')
  const digits = (text.split('.')[1] ?? '').replace(/0+$/, '').length
  if (digits > field.scale) return one('too_precise', { scale: field.scale })
  return checkBounds(Number(text), field.min ?? -1e13, field.max ?? 1e13)
}

function checkBounds(value: number, min: number, max: number): readonly Issue[] {
  if (value < min) return one('min_value', { min })
  return value > max ? one('max_value', { max }) : NONE
}

function checkTexts(max: number, value: unknown): readonly Issue[] {
  if (!Array.isArray(value)) return one('value_invalid')
  for (const item of value) {
    if (typeof item !== 'string' || item.trim() === '') return one('not_empty')
    if (CONTROL.test(item)) return one('control_characters')
    if (item.length > max) return one('max_length', { max })
  }
  return NONE
}

/** True if a request may set the field, on creation or on a change. */
export function isWritable(field: Field, creating: boolean): boolean {
  if (field.readOnly) return false
  if (field.kind === 'children') return field.owned === true
  return creating || !field.fixed
}

/** Issues by field. A change validates the present fields only; creation also requires the required ones. */
export function checkRow(
  entity: Pick<Entity, 'fields'>,
  row: Readonly<Record<string, unknown>>,
  creating: boolean,
): Issues {
  const issues: Issues = {}
  for (const [name, field] of Object.entries(entity.fields)) {
    if (!isWritable(field, creating) || (!creating && !(name in row))) continue
    const found = checkField(field, row[name])
    if (found.length > 0) issues[name] = [...found]
  }
  return issues
}

/** A month is given by its name or its first day: another day would be changed without a word. */
const isDayOf = (field: DateField, text: string): boolean =>
  field.isMonth === true ? isMonth(text.slice(0, 7)) && firstDayOf(text.slice(0, 7)) === firstDayOf(text) : isDay(text)
