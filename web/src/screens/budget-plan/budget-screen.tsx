// The budget cockpit: a month's plan against its spend, with predictions and warnings.
import { Button } from '@mantine/core'
import { leadersOr } from '@tributary/contract/access'
import { budgetApprove, budgetCopy } from '@tributary/contract/calls/budget'
import { partnerSpendMissing } from '@tributary/contract/calls/spend-table'
import { budget } from '@tributary/contract/entities/budget'
import type { BudgetAnswer, BudgetRow, BudgetSort } from '@tributary/contract/reports/budget'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCan, useProfile } from '../../data/profile.ts'
import { lazyComponent } from '../../lib/lazy-component.tsx'
import { ExportButton } from '../../reports/run/export-button.tsx'
import { Page } from '../../ui/page.tsx'
import { EmptyState, FailedState } from '../../ui/states.tsx'
import { TableSkeleton } from '../../ui/table-skeleton.tsx'
import classes from './budget.module.css'
import { type BudgetRights, budgetsIn, takeStep } from './budget-actions.ts'
import { BudgetFilters } from './budget-filters.tsx'
import { type BudgetState, previousMonth, reportSearch, requestOf, useBudgetState } from './budget-state.ts'
import { BudgetTotals } from './budget-totals.tsx'
import { BudgetTree, type Reports } from './budget-tree.tsx'
import { CopyMonthButton } from './copy-button.tsx'
import { MissingDays } from './missing-days.tsx'
import { PartModal, type PartTarget } from './part-modal.tsx'
import queues from './queues.module.css'
import { UnallocatedQueue } from './unallocated-queue.tsx'
import { useBudget, useBudgetRefresh } from './use-budget.ts'
import { VersionsDrawer, type VersionsTarget } from './versions-drawer.tsx'
import { WarningChips } from './warning-chips.tsx'

const BurnUp = lazyComponent('budget-burn-up', async () => (await import('./burn-up.tsx')).BurnUp)

const UNNAMED = Array.from({ length: 9 }, (_, place) => '\u00a0'.repeat(place + 1))

export function BudgetScreen() {
  const { t } = useTranslation()
  const can = useCan()
  const role = useProfile().role.kind
  const [state, change] = useBudgetState()
  const load = useBudget(requestOf(state))
  const isOpen = load.data?.is_closed !== true
  const rights: BudgetRights = {
    edits: isOpen && can(budget.access.edit),
    approves: isOpen && can(budgetApprove.access),
    reports: can(leadersOr('general_report')),
    spends: can(partnerSpendMissing.access) && role !== 'PARTNER',
  }
  const { data: answer } = load
  return (
    <Page
      title={t(($) => $.screens['budget-plan'].title)}
      subtitle={t(($) => $.screens['budget-plan'].subtitle)}
      actions={
        <>
          <StateButtons rows={answer?.rows ?? []} rights={rights} />
          {isOpen && can(budgetCopy.access) ? <CopyMonthButton month={state.month} /> : null}
          <ExportButton path="budget_report/report" request={() => requestOf(state)} />
        </>
      }
    >
      <BudgetFilters state={state} onChange={change} />
      {load.error && answer === undefined ? (
        <FailedState error={load.error} onRetry={() => void load.refetch()} />
      ) : answer === undefined ? (
        <TableSkeleton columns={UNNAMED} />
      ) : (
        <Cockpit answer={answer} state={state} change={change} rights={rights} isStale={load.isPlaceholderData} />
      )}
    </Page>
  )
}

/** Steps of all budgets that are shown: what a search or a warning hides stays as it is. */
function StateButtons({ rows, rights }: { rows: readonly BudgetRow[]; rights: BudgetRights }) {
  const { t } = useTranslation()
  const refresh = useBudgetRefresh()
  const drafts = rights.edits ? budgetsIn(rows, 'draft') : []
  const proposed = budgetsIn(rows, 'proposed')
  return (
    <>
      {drafts.length === 0 ? null : (
        <Button variant="default" onClick={() => void takeStep('propose', drafts, refresh)}>
          {t(($) => $.budget.proposeAll, { count: drafts.length })}
        </Button>
      )}
      {proposed.length === 0 || !rights.edits ? null : (
        <Button variant="default" onClick={() => void takeStep('withdraw', proposed, refresh)}>
          {t(($) => $.budget.withdrawAll, { count: proposed.length })}
        </Button>
      )}
      {proposed.length === 0 || !rights.approves ? null : (
        <Button onClick={() => void takeStep('approve', proposed, refresh)}>
          {t(($) => $.budget.approveAll, { count: proposed.length })}
        </Button>
      )}
    </>
  )
}

interface CockpitProps {
  answer: BudgetAnswer
  state: BudgetState
  change: (edit: Partial<BudgetState>) => void
  rights: BudgetRights
  isStale: boolean
}

function Cockpit({ answer, state, change, rights, isStale }: CockpitProps) {
  const { t } = useTranslation()
  const [versions, setVersions] = useState<VersionsTarget | null>(null)
  const [part, setPart] = useState<PartTarget | null>(null)
  const { period, days } = answer
  const elapsed = period === null ? 0 : Number(period.dateTo.slice(8)) / days
  const reports: Reports = {
    actual: (place) =>
      period === null || !rights.reports
        ? null
        : reportSearch(place, { from: period.dateFrom, to: period.dateTo }, state),
    previous: (place) => (rights.reports ? reportSearch(place, previousMonth(answer.month), state) : null),
  }
  const { rows } = answer
  const isWhole = answer.shown_total === null
  const sortBy = (by: BudgetSort) =>
    change({ sort: { by, desc: state.sort.by === by ? !state.sort.desc : by !== 'title' } })
  return (
    <div className={classes.cockpit} aria-busy={isStale} data-stale={isStale || undefined}>
      {answer.is_closed ? <p className={classes.hint}>{t(($) => $.budget.closed)}</p> : null}
      {answer.is_narrowed ? <p className={classes.hint}>{t(($) => $.budget.narrowed)}</p> : null}
      {isWhole ? null : <p className={classes.hint}>{t(($) => $.budget.wholeMonth)}</p>}
      <BudgetTotals
        answer={answer}
        elapsed={elapsed}
        search={{ actual: reports.actual({}), previous: reports.previous({}) }}
      />
      <WarningChips counts={answer.warning_counts} chosen={state.warning} onChoose={(warning) => change({ warning })} />
      {rows.length === 0 && isWhole ? (
        <EmptyState title={t(($) => $.budget.empty)} text={t(($) => $.budget.emptyText)} />
      ) : rows.length === 0 ? (
        <EmptyState title={t(($) => $.budget.noMatch)}>
          <Button variant="default" onClick={() => change({ query: '', warning: null })}>
            {t(($) => $.budget.clearMatch)}
          </Button>
        </EmptyState>
      ) : (
        <div className={classes.table}>
          <BudgetTree
            answer={answer}
            rows={rows}
            sort={state.sort}
            onSort={sortBy}
            rights={rights}
            reports={reports}
            elapsed={elapsed}
            isStale={isStale}
            onVersions={setVersions}
            onAddPart={setPart}
          />
        </div>
      )}
      <div className={queues.panels}>
        {answer.burn_up.length === 0 ? null : <BurnUp answer={answer} />}
        <UnallocatedQueue answer={answer} />
        {rights.spends ? <MissingDays month={answer.month} /> : null}
      </div>
      <VersionsDrawer target={versions} onClose={() => setVersions(null)} />
      <PartModal target={part} onClose={() => setPart(null)} />
    </div>
  )
}
