// The history of imports: state, files to download, and cancelling.
import { Button, Progress, SegmentedControl, Skeleton } from '@mantine/core'
import { IconDownload, IconFileAlert, IconPlayerStop } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ListAnswer } from '@tributary/contract/list-query'
import i18next, { type TFunction } from 'i18next'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { download } from '../../data/download.ts'
import { http } from '../../data/http.ts'
import { useLive } from '../../data/live.ts'
import { keys, queryClient } from '../../data/query-client.ts'
import type { Row } from '../../entities/list/list-query.ts'
import { useLabels } from '../../i18n/labels.ts'
import { formatDay } from '../../lib/date-format.ts'
import { askForConfirmation } from '../../ui/confirm.ts'
import { notifyFailure, notifySuccess } from '../../ui/notify.ts'
import { StateBadge, type Tone } from '../../ui/state-badge.tsx'
import { FailedState } from '../../ui/states.tsx'
import { MomentText } from '../../ui/value.tsx'
import classes from './import-panel.module.css'

export type ReportType = 'all' | 'file' | 'api'

const SHOWN = 20
/** The polling interval during an import, for when live events are not available. */
const POLL_MS = 2000
const UNFINISHED = new Set<unknown>(['waiting', 'processing'])

const isUnfinished = (row: Row): boolean => UNFINISHED.has(row.status)

/** The latest player reports, polled while one is imported; a notification announces the end of followed imports. */
export function useReports() {
  const [type, setType] = useState<ReportType>('all')
  const followed = useRef(new Set<number>())
  const list = useQuery({
    queryKey: keys.list('report', type),
    queryFn: ({ signal }) =>
      http.get<ListAnswer<Row>>('report', {
        query: [['limit', String(SHOWN)], ...(type === 'all' ? [] : [['filter[type]', type] as const])],
        signal,
      }),
    refetchInterval: ({ state }) => (state.data?.items.some(isUnfinished) ? POLL_MS : false),
  })
  useLive('job', ({ job }) => {
    if (job === 'player_import') void list.refetch()
  })
  const items = list.data?.items
  // Announces imports that the user follows and that have ended.
  useEffect(() => {
    for (const row of items ?? []) {
      if (!followed.current.has(Number(row.id)) || isUnfinished(row)) continue
      followed.current.delete(Number(row.id))
      announce(row)
      void queryClient.invalidateQueries({ queryKey: keys.entity('player_report') })
      void queryClient.invalidateQueries({ queryKey: keys.entity('player') })
    }
  }, [items])
  return {
    list,
    type,
    setType,
    follow: (ids: readonly number[]) => {
      for (const id of ids) followed.current.add(id)
      void list.refetch()
    },
  }
}

export type Reports = ReturnType<typeof useReports>

function announce({ status, error, file_name }: Row): void {
  const title = String(file_name)
  if (status === 'success')
    notifySuccess(
      i18next.t(($) => $.players.imports.done),
      { title },
    )
  else if (status === 'warnings')
    notifySuccess(
      i18next.t(($) => $.players.imports.doneWarnings),
      { title, persistent: true },
    )
  else if (status === 'failed') {
    const words = i18next.t(($) => $.players.imports.failed)
    notifyFailure(typeof error === 'string' ? `${words}: ${error}` : words, { title, persistent: true })
  }
}

const TYPES: readonly ReportType[] = ['all', 'file', 'api']
const TONES: Readonly<Record<string, Tone>> = {
  success: 'positive',
  warnings: 'warning',
  failed: 'negative',
  processing: 'accent',
}

export function ReportHistory({ reports: { list, type, setType }, chosen }: { reports: Reports; chosen: number }) {
  const { t } = useTranslation()
  return (
    <section className={classes.history} aria-label={t(($) => $.players.imports.recent)}>
      <div className={classes.bar}>
        <h3 className={classes.title}>{t(($) => $.players.imports.recent)}</h3>
        <SegmentedControl
          size="xs"
          aria-label={t(($) => $.players.imports.recent)}
          value={type}
          onChange={(chosen) => setType(TYPES.find((known) => known === chosen) ?? 'all')}
          data={TYPES.map((value) => ({ value, label: t(($) => $.players.imports.type[value]) }))}
        />
      </div>
      {list.isError ? <FailedState error={list.error} onRetry={() => void list.refetch()} /> : null}
      {list.isPending ? [1, 2, 3].map((line) => <Skeleton key={line} height={48} my={8} />) : null}
      {list.data?.items.length === 0 ? <p className={classes.quiet}>{t(($) => $.players.imports.none)}</p> : null}
      <ul className={classes.reports}>
        {list.data?.items.map((row) => (
          <ReportLine key={row.id} row={row} isChosen={row.id === chosen} onChange={() => void list.refetch()} />
        ))}
      </ul>
    </section>
  )
}

function ReportLine({ row, isChosen, onChange }: { row: Row; isChosen: boolean; onChange: () => void }) {
  const line = useRef<HTMLLIElement>(null)
  // Scrolls the report that the address names into view.
  useEffect(() => {
    if (isChosen) line.current?.scrollIntoView({ block: 'center' })
  }, [isChosen])
  const { t } = useTranslation()
  const labels = useLabels()
  const status = String(row.status)
  const hasLog = Number(row.warnings) > 0
  const state = <StateBadge tone={TONES[status] ?? 'neutral'}>{labels.choice('report', 'status', status)}</StateBadge>
  const get = (field: 'source' | 'log') =>
    void download({ path: `report/get_file/${row.id}`, query: { field } }).catch((error: unknown) =>
      notifyFailure(error),
    )
  return (
    <li ref={line} className={classes.report} aria-current={isChosen ? 'true' : undefined}>
      <div className={classes.bar}>
        <span className={classes.name}>{String(row.file_name)}</span>
        {hasLog ? (
          <button
            type="button"
            className={classes.state}
            title={t(($) => $.players.imports.log)}
            onClick={() => get('log')}
          >
            {state}
          </button>
        ) : (
          state
        )}
      </div>
      {status === 'processing' ? (
        <Progress size={5} value={Number(row.progress)} aria-label={String(row.file_name)} />
      ) : null}
      <p className={classes.facts}>
        <MomentText value={String(row.created_at)} />
        {factsOf(row, t).map((fact) => (
          <span key={fact}>{fact}</span>
        ))}
      </p>
      {typeof row.error === 'string' ? <p className={classes.error}>{row.error}</p> : null}
      <div className={classes.acts}>
        <Button
          size="compact-xs"
          variant="subtle"
          leftSection={<IconDownload size={14} aria-hidden />}
          onClick={() => get('source')}
        >
          {t(($) => $.players.imports.source)}
        </Button>
        {hasLog ? (
          <Button
            size="compact-xs"
            variant="subtle"
            leftSection={<IconFileAlert size={14} aria-hidden />}
            onClick={() => get('log')}
          >
            {t(($) => $.players.imports.log)}
          </Button>
        ) : null}
        {isUnfinished(row) ? (
          <Button
            size="compact-xs"
            variant="subtle"
            color="red"
            leftSection={<IconPlayerStop size={14} aria-hidden />}
            onClick={() => void cancel(row, t).then(onChange, notifyFailure)}
          >
            {t(($) => $.players.imports.cancel)}
          </Button>
        ) : null}
      </div>
    </li>
  )
}

function factsOf(row: Row, t: TFunction): string[] {
  if (row.rows === null) return []
  const facts: string[] = [t(($) => $.players.imports.rows, { count: Number(row.rows) })]
  const [players, added, changed, warnings] = [
    row.players_added,
    row.entries_added,
    row.entries_changed,
    row.warnings,
  ].map(Number)
  if (players) facts.push(t(($) => $.players.imports.players, { count: players }))
  if (added) facts.push(t(($) => $.players.imports.added, { count: added }))
  if (changed) facts.push(t(($) => $.players.imports.changed, { count: changed }))
  if (!players && !added && !changed && row.error === null) facts.push(t(($) => $.players.imports.unchanged))
  if (warnings) facts.push(t(($) => $.players.imports.warnings, { count: warnings }))
  if (typeof row.period_from === 'string' && typeof row.period_to === 'string')
    facts.unshift([...new Set([row.period_from, row.period_to])].map(formatDay).join(' – '))
  return facts
}

async function cancel(row: Row, t: TFunction): Promise<void> {
  const isAgreed = await askForConfirmation({
    title: t(($) => $.players.imports.cancelQuestion),
    text: t(($) => $.players.imports.cancelText),
    confirm: t(($) => $.players.imports.cancel),
    danger: true,
  })
  if (isAgreed) await http.post(`report/${row.id}/cancel`, undefined)
}
