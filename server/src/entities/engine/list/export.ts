// Exports all rows of a list query to a sheet, with chosen columns and the list's scope, filters, hidden fields and labels.

import type { EntityName } from '@tributary/contract/entities/registry'
import type { Entity } from '@tributary/contract/entity'
import type { Field } from '@tributary/contract/field'
import type { ListQuery } from '@tributary/contract/list-query'
import { describeCause } from '@tributary/contract/words/cause'
import { choiceLabel, fieldLabel, type Words } from '@tributary/contract/words/entity-words'
import { type RawBuilder, sql } from 'kysely'
import type { CellKind, Sheet, SheetCell, SheetRow } from '../../../lib/sheet.ts'
import { readInBatches } from '../../../postgres/cursor.ts'
import { exportClickhouse } from '../clickhouse/export.ts'
import { entityNamed, fieldsOf, type Row, tableOf } from '../model/model.ts'
import { isVisible, type RequestContext, readBusinessZone } from '../model/request-context.ts'
import { completeRows } from '../read/row.ts'
import { selectSome } from '../read/select-list.ts'
import { invalidParameter } from './condition.ts'
import { compileOrder } from './order.ts'
import { compileWhere } from './where.ts'

/** The columns and format of an exported list. */
export interface ExportOptions {
  /** Paths of columns in order; empty for the list's default columns. */
  readonly columns: readonly string[]
  readonly words: Words
  readonly signal: AbortSignal
  /** IANA zone of timestamps; the business zone by default. */
  readonly zone?: string
}

interface ExportColumn {
  readonly path: string
  readonly header: string
  readonly field: Field
  readonly write: (value: unknown) => SheetCell
}

/** Ignores page and limit. Throws `invalid` for unknown columns and filters. */
export async function exportEntity(
  context: RequestContext,
  entity: Entity,
  query: ListQuery,
  options: ExportOptions,
): Promise<Sheet> {
  const { postgres } = context.engines
  const columns = findColumns(context, entity, options)
  const isDerived = columns.some(({ field }) => field.kind === 'derived')
  // Derived fields may depend on any other field.
  const names = new Set(isDerived ? fieldsOf(entity).keys() : columns.map(({ path }) => path.split('.')[0] ?? path))
  const rows =
    entity.source === 'clickhouse'
      ? await exportClickhouse(context, entity, query, names, options.signal)
      : await exportRecord(context, entity, query, { ...options, names, isDerived })
  return {
    title: options.words.entities[entity.name as EntityName].title,
    columns: columns.map(({ header, field }) => ({ header, kind: kindOf(field) })),
    batches: toCells(rows.batches, columns),
    total: rows.total,
    ...(rows.notes !== undefined && rows.notes.length > 0 && { notes: rows.notes }),
    zone: options.zone ?? (await readBusinessZone(postgres.db)),
  }
}

/** Rows as lists answer them, and their exact number. */
interface ExportRows {
  readonly total: number
  readonly batches: AsyncIterable<Row[]>
  /** Sentences below the rows. */
  readonly notes?: readonly string[]
}

async function exportRecord(
  context: RequestContext,
  entity: Entity,
  query: ListQuery,
  { signal, names, isDerived }: ExportOptions & { names: ReadonlySet<string>; isDerived: boolean },
): Promise<ExportRows> {
  const { db } = context.engines.postgres
  const where = await compileWhere(db, context, entity, query)
  const order = compileOrder(context, entity, query)
  const list = selectSome(context, entity, names)
  const counted = sql<{ total: number }>`select count(*) as total from ${tableOf(entity)} as t where ${where}`
  const { rows } = await counted.execute(db)
  const statement = sql<Row>`select ${list} from ${tableOf(entity)} as t where ${where} order by ${order}`
  return { total: rows[0]?.total ?? 0, batches: readRows(context, entity, statement, isDerived, signal) }
}

async function* readRows(
  context: RequestContext,
  entity: Entity,
  statement: RawBuilder<Row>,
  isDerived: boolean,
  signal: AbortSignal,
): AsyncGenerator<Row[]> {
  const { postgres } = context.engines
  for await (const rows of readInBatches<Row>(postgres, statement.compile(postgres.db), { signal })) {
    if (isDerived) await completeRows(postgres.db, context, entity, rows, false)
    yield rows
  }
}

const isWritten = ({ kind }: Field): boolean => kind !== 'children' && kind !== 'json'

function findColumns(context: RequestContext, entity: Entity, { columns, words }: ExportOptions): ExportColumn[] {
  const requested = columns.length > 0 ? columns : firstColumns(context, entity)
  return requested.map((path) => {
    const found = findColumn(context, entity, path)
    if (found === undefined) throw invalidParameter(`columns[${path}]`, 'unknown_field')
    const { owner, name, field } = found
    // Names of the registry are keys of the words.
    const choice = (option: unknown): string => choiceLabel(words, owner.name as EntityName, name, String(option))
    return {
      path,
      field,
      header: fieldLabel(words, entity.name as EntityName, path),
      write: (value) => writeCell(field, value, words, choice),
    }
  })
}

const firstColumns = (context: RequestContext, entity: Entity): string[] =>
  ['id', ...entity.list.columns, ...(entity.hasActive ? ['active'] : [])].filter(
    (path, index, all) => all.indexOf(path) === index && findColumn(context, entity, path) !== undefined,
  )

interface FoundColumn {
  readonly owner: Entity
  readonly name: string
  readonly field: Field
}

/** Finds a field of the entity, or a field through a reference if the list has it as a column. */
function findColumn(context: RequestContext, entity: Entity, path: string): FoundColumn | undefined {
  const [head = '', next, ...deeper] = path.split('.')
  const field = fieldsOf(entity).get(head)
  if (field === undefined || !isVisible(context, field) || !isWritten(field)) return undefined
  if (next === undefined) return { owner: entity, name: head, field }
  if (deeper.length > 0 || field.kind !== 'reference' || !entity.list.columns.includes(path)) return undefined
  const owner = entityNamed(field.to)
  const further = fieldsOf(owner).get(next)
  return further === undefined || !isVisible(context, further) ? undefined : { owner, name: next, field: further }
}

function kindOf(field: Field): CellKind {
  if (field.kind === 'integer' || field.kind === 'decimal') return 'number'
  if ((field.kind === 'text' && field.format === 'month') || (field.kind === 'date' && field.isMonth)) return 'month'
  return field.kind === 'date' ? 'day' : field.kind === 'datetime' ? 'moment' : 'text'
}

async function* toCells(
  batches: AsyncIterable<Row[]>,
  columns: readonly ExportColumn[],
): AsyncGenerator<readonly SheetRow[]> {
  for await (const rows of batches) yield rows.map((row) => columns.map(({ path, write }) => write(valueAt(row, path))))
}

function valueAt(row: Row, path: string): unknown {
  let value: unknown = row
  for (const step of path.split('.')) {
    if (typeof value !== 'object' || value === null) return null
    // Rows and references are objects.
    value = (value as Row)[step]
  }
  return value
}

type ChoiceWord = (option: unknown) => string

function writeCell(field: Field, value: unknown, words: Words, choice: ChoiceWord): SheetCell {
  if (value === null || value === undefined) return null
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return value.map((item) => writeText(field, item, words, choice)).join(', ')
  if (typeof value === 'boolean') return value ? words.common.values.yes : words.common.values.no
  if (typeof value === 'number') return value
  return writeText(field, value, words, choice)
}

function writeText(field: Field, value: unknown, words: Words, choice: ChoiceWord): string {
  if (typeof value === 'object' && value !== null)
    return 'title' in value ? String(value.title) : Object.values(value).filter(Boolean).join(' ')
  if (field.kind === 'choice' || field.kind === 'choices') return choice(value)
  const text = String(value)
  if (field.kind === 'text' && field.format === 'cause') return describeCause(words, text)
  // Falls back to the name of an entity that no longer exists.
  if (field.kind === 'text' && field.format === 'entity') return words.entities[text as EntityName]?.title ?? text
  return text
}
