// The frame of a report without levels: days and choices above, filters beside, and in the middle rows, a skeleton, a failure or nothing.
import type { RoleKind } from '@tributary/contract/access'
import type { ReactNode } from 'react'
import { useReportWords } from '../i18n/report-words.ts'
import { DateRangePicker } from '../ui/date-range-picker.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { FailedState } from '../ui/failed-state.tsx'
import { Page } from '../ui/page.tsx'
import { TableSkeleton } from '../ui/table-skeleton.tsx'
import { ActiveFilters } from './active-filters.tsx'
import { ChoiceMenu } from './choice-menu.tsx'
import { FiltersAside, FiltersButton, useFiltersOpen } from './filters-aside.tsx'
import type { Choices, PlainControl } from './plain-state.ts'
import classes from './report.module.css'

interface PlainFrameProps<C extends Choices> {
  title: string
  subtitle: string
  role: RoleKind
  control: PlainControl<C>
  /** For each choice: its name and the words of its options; without options it is not offered. */
  labels: { readonly [K in keyof C]: { readonly title: string; readonly options: Readonly<Record<string, string>> } }
  actions?: ReactNode
  error: Error | null
  onRetry: () => void
  /** Null: there is no answer yet. */
  rows: number | null
  children: ReactNode
}

export function PlainFrame<C extends Choices>(props: PlainFrameProps<C>) {
  const { control, role, labels, error, rows } = props
  const words = useReportWords()
  const [, setPanelOpen] = useFiltersOpen()
  const { state, change } = control
  return (
    <Page
      fill
      title={props.title}
      subtitle={props.subtitle}
      actions={
        <>
          {props.actions}
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
      <div className={classes.columns}>
        <FiltersAside control={control} role={role} />
        <div className={classes.main}>
          {error ? (
            <FailedState error={error} onRetry={props.onRetry} />
          ) : rows === null ? (
            <TableSkeleton columns={Array.from({ length: 9 }, () => '')} />
          ) : rows === 0 ? (
            <EmptyState title={words.empty.title} text={words.empty.text} />
          ) : (
            props.children
          )}
        </div>
      </div>
    </Page>
  )
}
