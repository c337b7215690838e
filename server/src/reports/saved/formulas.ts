// Formulas are metrics that users define. People who may see all metrics of a formula see it; its owner and admins may change it.
import { readFormulaKey } from '@tributary/contract/reports/column-name'
import { metricsIn, parseFormula } from '@tributary/contract/reports/formula'
import type { FormulaVersion, RequestedFormulas } from '@tributary/contract/reports/general'
import type { ReportFormula, ReportFormulaBody } from '@tributary/contract/reports/saved'
import { isVisibleTo, metricOf } from '@tributary/contract/reports/traffic'
import { AppError, invalidField } from '../../lib/app-error.ts'
import type { Postgres } from '../../postgres/client.ts'
import type { Formula, Viewer } from '../engine/query.ts'
import type { ReportUser } from './visible-state.ts'

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

/** Omits formulas with a metric that is hidden from the user's role. */
export async function listFormulas({ pool }: Postgres, user: ReportUser): Promise<ReportFormula[]> {
  const { rows } = await pool.query<Row>(`${SELECT} order by lower(f.title), f.id`)
  return rows.filter(({ expression }) => isVisible(expression, user)).map((row) => toFormula(row, user))
}

function isVisible(expression: string, { role }: Pick<ReportUser, 'role'>): boolean {
  const { node } = parseFormula(expression)
  return node !== null && metricsIn(node).every((name) => isVisibleTo(metricOf(name), role))
}

const toFormula = ({ user_id, owner, ...row }: Row, user: ReportUser): ReportFormula => ({
  ...row,
  // Partners do not see names of staff.
  owner: { id: user_id, title: user.role === 'PARTNER' && user_id !== user.id ? '' : owner },
  is_own: user_id === user.id || user.role === 'ADMIN',
})

export async function createFormula(
  postgres: Postgres,
  user: ReportUser,
  body: ReportFormulaBody,
): Promise<ReportFormula> {
  checkExpression(body.expression, user)
  const { rows } = await postgres.pool.query<{ id: number }>(
    `insert into report_formula (user_id, title, expression, unit) values ($1, $2, $3, $4)
      on conflict (title) do nothing returning id`,
    [user.id, body.title, body.expression, body.unit],
  )
  const [row] = rows
  if (row === undefined) throw invalidField('title', 'title_exists')
  return readFormula(postgres, user, row.id)
}

export async function updateFormula(
  postgres: Postgres,
  user: ReportUser,
  id: number,
  body: ReportFormulaBody,
): Promise<ReportFormula> {
  checkExpression(body.expression, user)
  const stored = await readOwn(postgres, user, id)
  if (body.version !== undefined && body.version !== stored.version) throw new AppError('stale', { current: stored })
  const { rowCount } = await postgres.pool.query(
    `update report_formula set title = $2, expression = $3, unit = $4
      where id = $1 and not exists (select from report_formula other where other.title = $2 and other.id <> $1)`,
    [id, body.title, body.expression, body.unit],
  )
  if (rowCount === 0) throw invalidField('title', 'title_exists')
  return readFormula(postgres, user, id)
}

export async function deleteFormula(postgres: Postgres, user: ReportUser, id: number): Promise<void> {
  await readOwn(postgres, user, id)
  await postgres.pool.query('delete from report_formula where id = $1', [id])
}

function checkExpression(expression: string, user: ReportUser): void {
  const { error } = parseFormula(expression)
  if (error !== null) throw invalidField('expression', 'formula_invalid', { at: error.at + 1 })
  if (!isVisible(expression, user)) throw new AppError('forbidden')
}

async function readFormula({ pool }: Postgres, user: ReportUser, id: number): Promise<ReportFormula> {
  const { rows } = await pool.query<Row>(`${SELECT} where f.id = $1`, [id])
  const [row] = rows
  if (row === undefined || !isVisible(row.expression, user)) throw new AppError('not_found')
  return toFormula(row, user)
}

async function readOwn(postgres: Postgres, user: ReportUser, id: number): Promise<ReportFormula> {
  const formula = await readFormula(postgres, user, id)
  if (!formula.is_own) throw new AppError('forbidden')
  return formula
}

/** The formulas that the role may see, by id and in the order of their titles. */
export async function readFormulas({ pool }: Postgres, viewer: Pick<Viewer, 'role'>): Promise<Map<number, Formula>> {
  const { rows } = await pool.query<Row>(`${SELECT} order by lower(f.title), f.id`)
  return new Map(
    rows.flatMap(({ id, title, unit, expression, version }) => {
      const { node } = parseFormula(expression)
      return node === null || !isVisible(expression, viewer) ? [] : [[id, { id, title, unit, node, version }] as const]
    }),
  )
}

/** The formulas that a request lists, and the formula of its sort. Throws AppError `invalid` if the latter does not exist. */
export async function chooseFormulas(
  { formulas, sort }: { formulas: RequestedFormulas; sort?: { by: string } | undefined },
  viewer: Viewer,
  postgres: Postgres,
): Promise<Formula[]> {
  const sortKey = sort === undefined ? null : readFormulaKey(sort.by)
  if (formulas !== 'all' && formulas.length === 0 && sortKey === null) return []
  const visible = await readFormulas(postgres, viewer)
  if (sortKey !== null && !visible.has(sortKey.id)) throw invalidField('sort.by', 'unknown_field')
  return [...visible.values()].filter(({ id }) => formulas === 'all' || formulas.includes(id) || id === sortKey?.id)
}

export const formulaVersions = (formulas: readonly Formula[]): FormulaVersion[] =>
  formulas.map(({ id, version }) => ({ id, version }))
