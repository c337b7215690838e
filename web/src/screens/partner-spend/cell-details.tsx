// Says everything about the active cell: sums, source, claim, why it takes nothing, and what is wrong with what was entered.
import { Button, NativeSelect } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import type { SpendTable, SpendTableRow } from '@tributary/contract/calls/spend-table'
import { type MessageKey, say } from '@tributary/contract/words/messages'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { useLabels } from '../../i18n/labels.ts'
import { currentLanguage } from '../../i18n/language.ts'
import { formatDay } from '../../lib/date-format.ts'
import { formatDecimal } from '../../lib/number-format.ts'
import { ClashChoice } from './clash-choice.tsx'
import { type Edit, type Problem, rowKey } from './grid-model.ts'
import { showAmount } from './grid-width.ts'
import classes from './spend-grid.module.css'
import type { SpendGrid } from './use-spend-grid.ts'

interface CellDetailsProps {
  table: SpendTable
  grid: SpendGrid
  /** Null: the user accepts no claims. */
  onAccept: ((ids: number[]) => void) | null
  isEditable: boolean
  /** Of sums that are entered into empty cells of the row. */
  onCurrency: (row: SpendTableRow, currency: string) => void
  onSettled: () => void
}

export function CellDetails({ table, grid, onAccept, isEditable, onCurrency, onSettled }: CellDetailsProps) {
  const { t } = useTranslation()
  const labels = useLabels()
  const row = table.rows[grid.active.row]
  const cell = row?.cells[grid.active.day]
  if (row === undefined || cell === undefined) return null
  const edit = grid.edits.get(rowKey(row))?.get(grid.active.day)
  const money = (amount: string, currency: string | null = cell.currency) => `${formatDecimal(amount, 2)} ${currency}`
  const values = cell.values ?? {}
  const claims = findClaims(table, grid)
  return (
    <div className={classes.details} aria-live="polite">
      <span>
        <b>{formatDay(cell.date)}</b> · {row.stream.title} · {row.country.title}
        {row.site_id === null ? '' : ` · ${row.site_id}`}
      </span>
      {cell.base === null ? null : (
        <span>
          <b>{money(cell.base)}</b>
          {cell.sum === null || cell.sum === cell.base
            ? ''
            : ` → ${t(($) => $.spends.grid.withPercentage, { sum: money(cell.sum) })}`}
        </span>
      )}
      {cell.source === null ? null : <span>{labels.choice('partner_spend', 'source', cell.source)}</span>}
      {cell.claimed === null ? null : (
        <span className={classes.why}>
          {t(($) => $.spends.grid.claimed, { sum: money(cell.claimed, cell.claim_currency) })}
        </span>
      )}
      {isEditable && cell.base === null && cell.reason === null ? (
        <NativeSelect
          size="xs"
          aria-label={t(($) => $.spends.grid.currency)}
          data={table.currencies.map(({ value }) => ({
            value,
            label: t(($) => $.spends.grid.inCurrency, { currency: value }),
          }))}
          value={cell.currency}
          onChange={(event) => onCurrency(row, event.currentTarget.value)}
        />
      ) : null}
      {cell.reason === null || saysReason(edit, lockText(cell.reason, values)) ? null : (
        <span className={classes.why}>{lockText(cell.reason, values)}</span>
      )}
      {edit?.problem ? <span className={classes.wrong}>{problemText(edit, edit.problem, values, t)}</span> : null}
      {edit?.problem?.kind === 'clash' ? (
        <ClashChoice table={table} grid={grid} range={grid.range} onSettled={onSettled} />
      ) : null}
      {onAccept !== null && claims.length > 0 ? (
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconCheck size={14} aria-hidden />}
          onClick={() => onAccept(claims)}
        >
          {t(($) => $.spends.grid.acceptSelected, { count: claims.length })}
        </Button>
      ) : null}
    </div>
  )
}

/** True if what is wrong with the edit already says why the cell takes nothing. */
const saysReason = (edit: Edit | undefined, reason: string): boolean =>
  edit?.problem?.kind === 'locked' || (edit?.problem?.kind === 'rejected' && edit.problem.message === reason)

/** Ids of spends with a claim within the selected range. */
function findClaims({ rows }: SpendTable, { range: { from, to } }: SpendGrid): number[] {
  return rows
    .slice(from.row, to.row + 1)
    .flatMap(({ cells }) => cells.slice(from.day, to.day + 1))
    .flatMap(({ claimed, id }) => (claimed === null || id === null ? [] : [id]))
}

/** A closed month says who closed it, and the way round. */
const lockText = (lock: MessageKey, values: Record<string, string | number>): string =>
  say(currentLanguage(), lock === 'period_closed' && 'who' in values ? 'period_closed_by' : lock, values)

/** As the grid and the line above show it. */
const showIfAny = (amount: string | null): string | null => (amount === null ? null : showAmount(amount))

export function problemText(
  { text, base }: Edit,
  problem: Problem,
  values: Record<string, string | number>,
  t: TFunction,
): string {
  const nothing = t(($) => $.spends.grid.nothing)
  if (problem.kind === 'clash')
    return t(($) => (problem.by === null ? $.spends.grid.clash : $.spends.grid.clashBy), {
      who: problem.by ?? '',
      theirs: showIfAny(problem.theirs) ?? nothing,
      mine: showIfAny(base) ?? nothing,
    })
  if (problem.kind === 'rejected') return problem.message
  if (problem.kind === 'amount') return say(currentLanguage(), problem.issue.key, problem.issue.values)
  if (problem.kind === 'locked') return t(($) => $.spends.grid.notTaken, { why: lockText(problem.key, values) })
  return t(($) => $.spends.grid.problems[problem.why], { text })
}
