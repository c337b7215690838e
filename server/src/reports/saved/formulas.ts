// Columns that people have made, for everyone who may see the numbers that they are made of. Changed by their owner and by admins.
import { readFormulaKey } from '@tributary/contract/reports/column-name'
import { metricsIn, parseFormula } from '@tributary/contract/reports/formula'
import type { AnsweredFormula, AskedFormulas } from '@tributary/contract/reports/general'
import type { ReportFormula, ReportFormulaBody } from '@tributary/contract/reports/saved'
import { isVisibleTo, metricOf } from '@tributary/contract/reports/traffic'
import { AppError, invalidField } from '../../lib/app-error.ts'
import type { Postgres } from '../../postgres/client.ts'
import type { OwnColumn, Viewer } from '../engine/query.ts'
import type { Asker } from './asker.ts'

interface Row {
  id: number
  title: string
  expression: string
  unit: ReportFormula['unit']
  user_id: number
  owner: string
  version: number
}

const SELECT = `select f.id, f.title, f.expression, f.unit, f.user_id, f.version, u.full_name as owner
  from report_formula f join "user" u on u.id = f.user_id`

/** Formulas with a number that is hidden from the role do not exist for it. */
export async function listFormulas({ pool }: Postgres, asker: Asker): Promise<ReportFormula[]> {
  const { rows } = await pool.query<Row>(`${SELECT} order by lower(f.title), f.id`)
  return rows.filter(({ expression }) => isSeen(expression, asker)).map((row) => toFormula(row, asker))
}

function isSeen(expression: string, { role }: Pick<Asker, 'role'>): boolean {
  const { node } = parseFormula(expression)
  return node !== null && metricsIn(node).every((name) => isVisibleTo(metricOf(name), role))
}

const toFormula = ({ user_id, owner, ...row }: Row, asker: Asker): ReportFormula => ({
  ...row,
  // Names of staff are nothing for partners.
  owner: { id: user_id, title: asker.role === 'PARTNER' && user_id !== asker.id ? '' : owner },
  is_own: user_id === asker.id || asker.role === 'ADMIN',
})

export async function createFormula(postgres: Postgres, asker: Asker, body: ReportFormulaBody): Promise<ReportFormula> {
  checkExpression(body.expression, asker)
  const { rows } = await postgres.pool.query<{ id: number }>(
    `insert into report_formula (user_id, title, expression, unit) values ($1, $2, $3, $4)
      on conflict (title) do nothing returning id`,
    [asker.id, body.title, body.expression, body.unit],
  )
  const [row] = rows
  if (row === undefined) throw invalidField('title', 'title_exists')
  return readFormula(postgres, asker, row.id)
}

export async function updateFormula(
  postgres: Postgres,
  asker: Asker,
  id: number,
  body: ReportFormulaBody,
): Promise<ReportFormula> {
  checkExpression(body.expression, asker)
  const known = await readOwn(postgres, asker, id)
  if (body.version !== undefined && body.version !== known.version) throw new AppError('stale', { current: known })
  const { rowCount } = await postgres.pool.query(
    `update report_formula set title = $2, expression = $3, unit = $4
      where id = $1 and not exists (select from report_formula other where other.title = $2 and other.id <> $1)`,
    [id, body.title, body.expression, body.unit],
  )
  if (rowCount === 0) throw invalidField('title', 'title_exists')
  return readFormula(postgres, asker, id)
}

export async function deleteFormula(postgres: Postgres, asker: Asker, id: number): Promise<void> {
  await readOwn(postgres, asker, id)
  await postgres.pool.query('delete from report_formula where id = $1', [id])
}

function checkExpression(expression: string, asker: Asker): void {
  const { error } = parseFormula(expression)
  if (error !== null) throw invalidField('expression', 'formula_invalid', { at: error.at + 1 })
  if (!isSeen(expression, asker)) throw new AppError('forbidden')
}

async function readFormula({ pool }: Postgres, asker: Asker, id: number): Promise<ReportFormula> {
  const { rows } = await pool.query<Row>(`${SELECT} where f.id = $1`, [id])
  const [row] = rows
  if (row === undefined || !isSeen(row.expression, asker)) throw new AppError('not_found')
  return toFormula(row, asker)
}

async function readOwn(postgres: Postgres, asker: Asker, id: number): Promise<ReportFormula> {
  const formula = await readFormula(postgres, asker, id)
  if (!formula.is_own) throw new AppError('forbidden')
  return formula
}

/** Those that the role sees, ready to be worked out. */
export async function readFormulas({ pool }: Postgres, viewer: Pick<Viewer, 'role'>): Promise<Map<number, OwnColumn>> {
  const { rows } = await pool.query<Row>(`${SELECT} order by lower(f.title), f.id`)
  return new Map(
    rows.flatMap(({ id, title, unit, expression, version }) => {
      const { node } = parseFormula(expression)
      return node === null || !isSeen(expression, viewer) ? [] : [[id, { id, title, unit, node, version }] as const]
    }),
  )
}

/** Those that a question asks for, and the one that it sorts by. */
export async function chooseFormulas(
  { formulas, sort }: { formulas: AskedFormulas; sort?: { by: string } | undefined },
  viewer: Viewer,
  postgres: Postgres,
): Promise<OwnColumn[]> {
  const sorted = sort === undefined ? null : readFormulaKey(sort.by)
  if (formulas !== 'all' && formulas.length === 0 && sorted === null) return []
  const known = await readFormulas(postgres, viewer)
  if (sorted !== null && !known.has(sorted.id)) throw invalidField('sort.by', 'unknown_field')
  return [...known.values()].filter(({ id }) => formulas === 'all' || formulas.includes(id) || id === sorted?.id)
}

export const tellFormulas = (formulas: readonly OwnColumn[]): AnsweredFormula[] =>
  formulas.map(({ id, version }) => ({ id, version }))
