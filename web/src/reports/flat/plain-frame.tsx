// The frame of a report without levels: days and choices above, filters beside, and in the middle rows, a skeleton, a failure or nothing.
import type { RoleKind } from '@tributary/contract/access'
import type { ReactNode } from 'react'
import { DateRangePicker } from '../../ui/date/date-range-picker.tsx'
import { FailedState } from '../../ui/failed-state.tsx'
import { Page } from '../../ui/page.tsx'
import { TableSkeleton } from '../../ui/table-skeleton.tsx'
import { DrillDrawer } from '../drill/drill-drawer.tsx'
import type { DrillTarget } from '../drill/drill-target.ts'
import { ActiveFilters } from '../filter/active-filters.tsx'
import { FiltersAside, FiltersButton, useFiltersOpen } from '../filter/filters-aside.tsx'
import { NothingFound } from '../filter/nothing-found.tsx'
import classes from '../report.module.css'
import { ReportNoticeBar } from '../run/report-notice-bar.tsx'
import type { ToldOfReport } from '../run/report-status.tsx'
import { ChoiceMenu } from '../table/choice-menu.tsx'
import type { Choices, PlainControl } from './plain-state.ts'
import { type PlainColumns, PlainTools } from './plain-tools.tsx'
import type { PlainLoad } from './use-plain-report.ts'

/** Columns that have no names yet, told apart. */
const UNNAMED = Array.from({ length: 9 }, (_, place) => '\u00a0'.repeat(place + 1))

interface PlainFrameProps<C extends Choices> {
  title: string
  subtitle: string
  role: RoleKind
  control: PlainControl<C>
  /** For each choice: its name and the words of its options; without options it is not offered. */
  labels: { readonly [K in keyof C]: { readonly title: string; readonly options: Readonly<Record<string, string>> } }
  load: PlainLoad<ToldOfReport & { readonly currency: string }>
  /** Null: there is no answer yet. */
  rows: number | null
  /** Of the file: keys of the numbers that are seen. */
  fileColumns?: readonly string[]
  /** Absent: the columns are as they are. */
  columns?: PlainColumns
  /** The number that someone looks behind. */
  drill: DrillTarget | null
  onDrill: (target: DrillTarget | null) => void
  /** The page is as long as what is in it, and draws itself while there is no answer; otherwise its table fills the screen. */
  isLong?: boolean
  children: ReactNode
}

export function PlainFrame<C extends Choices>(props: PlainFrameProps<C>) {
  const { control, role, labels, load, rows, drill, onDrill } = props
  const [, setPanelOpen] = useFiltersOpen()
  const { state, change } = control
  return (
    <Page
      fill={props.isLong !== true}
      title={props.title}
      subtitle={props.subtitle}
      actions={
        <>
          <PlainTools
            control={control}
            load={load}
            fileColumns={props.fileColumns ?? []}
            columns={props.columns ?? null}
          />
          <FiltersButton control={control} />
        </>
      }
    >
      <div className={classes.toolbar}>
        <div className={classes.group}>
          <DateRangePicker from={state.from} to={state.to} onChange={({ from, to }) => change({ from, to })} />
        </div>
        <div className={classes.group}>
          {Object.entries(labels)
            .filter(([, { options }]) => Object.keys(options).length > 0)
            .map(([name, { title, options }]) => (
              <ChoiceMenu
                key={name}
                label={title}
                value={state.choices[name] ?? null}
                sections={[
                  { title: null, options: Object.entries(options).map(([key, label]) => ({ name: key, label })) },
                ]}
                // The options are those of the choice itself.
                onChoose={(option) => change({ choices: { [name]: option } as Partial<typeof state.choices> })}
              />
            ))}
        </div>
      </div>
      <ActiveFilters control={control} onOpen={() => setPanelOpen(true)} />
      <ReportNoticeBar notice={load.notice} onReload={load.refetch} />
      <div className={classes.columns}>
        <FiltersAside control={control} role={role} />
        <div className={classes.main}>
          {load.error ? (
            <FailedState error={load.error} onRetry={load.refetch} />
          ) : rows === null && props.isLong !== true ? (
            <TableSkeleton columns={UNNAMED} />
          ) : rows === 0 ? (
            <NothingFound state={state} onDays={change} onClear={() => change({ filters: {} })} />
          ) : (
            props.children
          )}
        </div>
      </div>
      <DrillDrawer
        target={drill}
        currency={load.answer?.currency ?? ''}
        onMoved={load.refetch}
        onClose={() => onDrill(null)}
      />
    </Page>
  )
}
