// The plan as a tree of advertisers, countries and partners. Planned amounts are edited in place; spent amounts open their report.
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import type {
  BudgetAnswer,
  BudgetGroup,
  BudgetPartner,
  BudgetRow,
  BudgetSort,
} from '@tributary/contract/reports/budget'
import { memo, type ReactNode, useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SortHeader } from '../../entities/list/column-head.tsx'
import { StateBadge, type Tone } from '../../ui/state-badge.tsx'
import { TableFrame, tableClasses } from '../../ui/table-frame.tsx'
import { Count, Dash } from '../../ui/value.tsx'
import classes from './budget.module.css'
import type { BudgetRights } from './budget-actions.ts'
import { BudgetMenu } from './budget-menu.tsx'
import type { BudgetState, Place } from './budget-state.ts'
import { BulletBar } from './bullet-bar.tsx'
import { FigureLink } from './figure-link.tsx'
import type { PartTarget } from './part-modal.tsx'
import { PlannedCell } from './planned-cell.tsx'
import { PredictionText } from './prediction.tsx'
import type { PlanTarget } from './use-budget.ts'
import type { VersionsTarget } from './versions-drawer.tsx'
import { WarningLine } from './warning-chips.tsx'

const TONES: Readonly<Record<'draft' | 'proposed' | 'approved', Tone>> = {
  draft: 'neutral',
  proposed: 'accent',
  approved: 'positive',
}

export interface Reports {
  readonly actual: (place: Place) => Record<string, unknown> | null
  readonly previous: (place: Place) => Record<string, unknown> | null
}
interface BudgetTreeProps {
  answer: BudgetAnswer
  rows: readonly BudgetRow[]
  sort: BudgetState['sort']
  onSort: (by: BudgetSort) => void
  rights: BudgetRights
  reports: Reports
  elapsed: number
  isStale: boolean
  onVersions: (target: VersionsTarget) => void
  onAddPart: (target: PartTarget) => void
}

export function BudgetTree(props: BudgetTreeProps) {
  const { rows, answer, isStale } = props
  const { t } = useTranslation()
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const toggleAdvertiser = useCallback((key: string) => setClosed((keys) => withToggled(keys, key)), [])
  const toggleCountry = useCallback((key: string) => setOpened((keys) => withToggled(keys, key)), [])
  const label = t(($) => $.screens['budget-plan'].title)
  const total = answer.shown_total ?? answer.total
  const countries = rows.reduce((count, { groups }) => count + groups.length, 0)
  return (
    <TableFrame label={label} stale={isStale}>
      <table className={`${tableClasses.table} ${classes.tree}`}>
        <Heads {...props} />
        <tbody>
          {rows.map((row) => {
            const key = String(row.advertiser_id)
            const isOpen = !closed.has(key)
            return [
              <AdvertiserLine key={key} {...props} row={row} place={key} isOpen={isOpen} onToggle={toggleAdvertiser} />,
              ...(isOpen ? row.groups : []).flatMap((group) => {
                const place = `${key}:${group.country_id}`
                const isCountryOpen = opened.has(place)
                return [
                  <CountryLine
                    key={place}
                    {...props}
                    row={row}
                    group={group}
                    place={place}
                    isOpen={isCountryOpen}
                    onToggle={toggleCountry}
                  />,
                  ...(isCountryOpen ? group.partners : []).map((partner) => (
                    <PartnerLine
                      key={`${place}:${partner.partner.id}`}
                      {...props}
                      row={row}
                      group={group}
                      one={partner}
                    />
                  )),
                ]
              }),
            ]
          })}
        </tbody>
        <tfoot>
          <tr>
            <td className={tableClasses.pinned}>
              {answer.shown_total === null
                ? t(($) => $.budget.total)
                : t(($) => $.budget.shownTotal, { count: countries })}
            </td>
            <td />
            <Numbers
              planned={<Count value={total.budget} />}
              actual={<Count value={total.actual_budget} />}
              free={total.free_budget}
              previous={<Count value={total.previous} />}
              prediction={<PredictionText {...total} />}
              days={total.days_to_overlimit}
            />
            <td />
            <td />
            <td />
          </tr>
        </tfoot>
      </table>
    </TableFrame>
  )
}

function withToggled(keys: ReadonlySet<string>, key: string): Set<string> {
  const next = new Set(keys)
  if (!next.delete(key)) next.add(key)
  return next
}

const NUMBERS = ['budget', 'actual_budget', 'free_budget', 'previous', 'prediction'] as const

function Heads({ sort, onSort, answer }: BudgetTreeProps) {
  const { t } = useTranslation()
  const labels: Readonly<Record<BudgetSort, string>> = {
    title: t(($) => $.budget.name),
    budget: t(($) => $.budget.columns.planned),
    actual_budget: t(($) => $.budget.columns.actual),
    free_budget: t(($) => $.budget.columns.free),
    previous: t(($) => $.budget.columns.previous),
    prediction: t(($) => $.budget.columns.prediction),
  }
  const stateOf = (by: BudgetSort) => (sort.by !== by ? 'none' : sort.desc ? 'descending' : 'ascending')
  const head = (by: BudgetSort) => <SortHeader label={labels[by]} sort={stateOf(by)} onSort={() => onSort(by)} />
  return (
    <thead>
      <tr>
        <th scope="col" className={tableClasses.pinned} aria-sort={stateOf('title')}>
          {head('title')}
        </th>
        <th scope="col">{t(($) => $.budget.progress)}</th>
        {NUMBERS.map((by) => (
          <th key={by} scope="col" className={tableClasses.number} aria-sort={stateOf(by)} title={answer.currency}>
            {head(by)}
          </th>
        ))}
        <th scope="col" className={tableClasses.number} title={t(($) => $.budget.columns.days_to_overlimit)}>
          {t(($) => $.budget.daysLeft)}
        </th>
        <th scope="col">{t(($) => $.budget.columns.state)}</th>
        <th scope="col">{t(($) => $.budget.columns.warnings)}</th>
        <th scope="col">
          <span className={classes.hidden}>{t(($) => $.actions.more)}</span>
        </th>
      </tr>
    </thead>
  )
}

interface NumbersProps {
  planned: ReactNode
  actual: ReactNode
  free: string | null
  previous: ReactNode
  prediction: ReactNode
  days: number | null
}

function Numbers({ planned, actual, free, previous, prediction, days }: NumbersProps) {
  return (
    <>
      <td className={tableClasses.number}>{planned}</td>
      <td className={tableClasses.number}>{actual}</td>
      <td className={tableClasses.number}>
        <Count value={free} />
      </td>
      <td className={tableClasses.number}>{previous}</td>
      <td className={tableClasses.number}>{prediction}</td>
      <td className={tableClasses.number}>{days === null ? <Dash /> : <Count value={days} />}</td>
    </>
  )
}

interface NameProps {
  name: string
  level: 1 | 2 | 3
  /** Absent if the row has no children. */
  toggle?: { readonly isOpen: boolean; readonly onToggle: () => void } | undefined
}

function NameCell({ name, level, toggle }: NameProps) {
  const { t } = useTranslation()
  const Mark = toggle?.isOpen === true ? IconChevronDown : IconChevronRight
  return (
    <th scope="row" className={`${tableClasses.pinned} ${classes.name}`} data-level={level} title={name}>
      {toggle === undefined ? (
        <span className={classes.leaf}>{name}</span>
      ) : (
        <button
          type="button"
          className={classes.toggle}
          aria-expanded={toggle.isOpen}
          aria-label={t(($) => (toggle.isOpen ? $.budget.collapse : $.budget.expand), { name })}
          onClick={toggle.onToggle}
        >
          <Mark size={14} aria-hidden />
          {name}
        </button>
      )}
    </th>
  )
}

interface Fold {
  /** Names the line among those that fold. */
  place: string
  isOpen: boolean
  onToggle: (place: string) => void
}

/** Lines are not rendered again when another one is opened or closed. */
const AdvertiserLine = memo(function AdvertiserLine(props: BudgetTreeProps & Fold & { row: BudgetRow }) {
  const { row, isOpen, onToggle, reports, elapsed, answer } = props
  const { title } = row.advertiser
  // The sum of the listed countries opens the report of these.
  const countries = row.groups.map(({ country_id }) => country_id)
  const place = { advertiser: row.advertiser_id, ...(answer.shown_total !== null && { countries }) }
  return (
    <tr data-row={title}>
      <NameCell name={title} level={1} toggle={{ isOpen, onToggle: () => onToggle(props.place) }} />
      <td>
        <BulletBar planned={row.budget} actual={row.actual_budget} predicted={row.prediction} elapsed={elapsed} />
      </td>
      <Numbers
        planned={<Count value={row.budget} />}
        actual={<FigureLink name={title} value={row.actual_budget} search={reports.actual(place)} />}
        free={row.free_budget}
        previous={<FigureLink name={title} value={row.previous} search={reports.previous(place)} />}
        prediction={<PredictionText {...row} />}
        days={row.days_to_overlimit}
      />
      <td />
      <td className={classes.warnings}>
        <WarningLine warnings={row.warnings} />
      </td>
      <td />
    </tr>
  )
})

/** Undefined if a sum of partner budgets is shown, or if the user may not edit plans. */
function targetOf({ answer, rights }: BudgetTreeProps, row: BudgetRow, group: BudgetGroup): PlanTarget | null {
  if (!rights.edits || answer.is_narrowed || group.country_id === 0 || row.advertiser_id === 0) return null
  const { id, version } = group.budget
  if (id !== null) return { entity: 'budget', id, version }
  const cell = { advertiser: row.advertiser_id, country: group.country_id, month: `${answer.month}-01` }
  return { entity: 'budget', id: null, cell }
}

interface CountryLineProps extends BudgetTreeProps, Fold {
  row: BudgetRow
  group: BudgetGroup
}

const CountryLine = memo(function CountryLine(props: CountryLineProps) {
  const { row, group, isOpen, onToggle, reports, elapsed, answer, rights } = props
  const { t } = useTranslation()
  const { budget, country } = group
  const name = `${row.advertiser.title} · ${country.title}`
  const place = { advertiser: row.advertiser_id, country: group.country_id }
  const cell = { ...place, month: `${answer.month}-01` }
  return (
    <tr data-row={name}>
      <NameCell
        name={country.title}
        level={2}
        toggle={group.partners.length === 0 ? undefined : { isOpen, onToggle: () => onToggle(props.place) }}
      />
      <td>
        <BulletBar
          planned={budget.budget}
          actual={group.actual_budget}
          predicted={group.prediction}
          elapsed={elapsed}
        />
      </td>
      <Numbers
        planned={
          <PlannedCell
            name={name}
            shown={budget.budget}
            planned={budget.planned}
            currency={budget.currency?.value ?? answer.currency}
            reportCurrency={answer.currency}
            isApproved={budget.state === 'approved'}
            target={targetOf(props, row, group)}
          />
        }
        actual={<FigureLink name={name} value={group.actual_budget} search={reports.actual(place)} />}
        free={group.free_budget}
        previous={<FigureLink name={name} value={group.previous} search={reports.previous(place)} />}
        prediction={<PredictionText {...group} />}
        days={group.days_to_overlimit}
      />
      <td>
        {budget.state === null ? null : (
          <StateBadge tone={TONES[budget.state]}>
            {t(($) => $.budget.columns.states[budget.state ?? 'draft'])}
          </StateBadge>
        )}
      </td>
      <td className={classes.warnings}>
        <WarningLine warnings={group.warnings} />
      </td>
      <td>
        {group.country_id === 0 || row.advertiser_id === 0 ? null : (
          <BudgetMenu
            name={name}
            group={group}
            rights={rights}
            onVersions={() => budget.id !== null && props.onVersions({ id: budget.id, name })}
            onAddPart={() => props.onAddPart({ name, cell })}
          />
        )}
      </td>
    </tr>
  )
})

interface PartnerLineProps extends BudgetTreeProps {
  row: BudgetRow
  group: BudgetGroup
  one: BudgetPartner
}

function PartnerLine({ row, group, one, answer, rights, reports, elapsed }: PartnerLineProps) {
  const name = `${row.advertiser.title} · ${group.country.title} · ${one.partner.title}`
  const partner = Number(one.partner.id)
  const place = { advertiser: row.advertiser_id, country: group.country_id, partner }
  const cell = { ...place, month: `${answer.month}-01` }
  const isPlace = partner !== 0 && group.country_id !== 0 && row.advertiser_id !== 0
  const target: PlanTarget | null =
    !rights.edits || !isPlace
      ? null
      : one.budget_id === null
        ? { entity: 'partner_budget', id: null, cell }
        : { entity: 'partner_budget', id: one.budget_id, version: one.version }
  return (
    <tr data-row={name}>
      <NameCell name={one.partner.title} level={3} />
      <td>
        <BulletBar planned={one.budget} actual={one.actual_budget} predicted={null} elapsed={elapsed} />
      </td>
      <Numbers
        planned={
          <PlannedCell
            name={name}
            shown={one.budget}
            planned={one.planned}
            currency={one.currency?.value ?? answer.currency}
            reportCurrency={answer.currency}
            isApproved={false}
            target={target}
          />
        }
        actual={<FigureLink name={name} value={one.actual_budget} search={reports.actual(place)} />}
        free={one.free_budget}
        previous={<Dash />}
        prediction={<Dash />}
        days={null}
      />
      <td />
      <td />
      <td />
    </tr>
  )
}
