// Google Sheets in the settings: the address to share spreadsheets with, when they are parsed, and whether one can be read.
import { Button, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { SheetAccess, SheetsState } from '@tributary/contract/calls/spend-sheet'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { formatDateTime } from '../../lib/date-format.ts'
import { CopyField } from '../../ui/copy-field.tsx'
import { notifyFailure } from '../../ui/notify.ts'
import { FailedState } from '../../ui/states.tsx'
import classes from './integrations-panel.module.css'

/** The times of parsing are told in UTC, as they are set. */
const moment = (at: string): string => `${formatDateTime(at, 'UTC') ?? ''} UTC`

export function SheetsPanel() {
  const { t } = useTranslation()
  const state = useQuery({
    queryKey: ['integrations', 'sheets'],
    queryFn: ({ signal }) => http.get<SheetsState>('integration/sheets', { signal }),
  })
  return (
    <section className={classes.panel} aria-label={t(($) => $.sheets.settings.title)}>
      <h2 className={classes.title}>{t(($) => $.sheets.settings.title)}</h2>
      {state.isError ? <FailedState error={state.error} onRetry={() => void state.refetch()} /> : null}
      {state.data === undefined ? null : <State state={state.data} />}
      <AccessTest />
    </section>
  )
}

function State({ state: { account, daily, monthly } }: { state: SheetsState }) {
  const { t } = useTranslation()
  const tell = ({ last_at, files, next_at }: SheetsState['daily']): string =>
    [
      last_at === null
        ? t(($) => $.sheets.settings.never)
        : t(($) => $.sheets.settings.last, { at: moment(last_at), count: files ?? 0 }),
      t(($) => $.sheets.settings.next, { at: moment(next_at) }),
    ].join('; ')
  return (
    <>
      {account === null ? (
        <p className={classes.text}>{t(($) => $.sheets.settings.noAccount)}</p>
      ) : (
        <>
          <p className={classes.text}>{t(($) => $.sheets.settings.account)}</p>
          <CopyField value={account} />
        </>
      )}
      <p className={classes.health}>
        <span>{`${t(($) => $.sheets.settings.daily)}: ${tell(daily)}`}</span>
        <span>{`${t(($) => $.sheets.settings.monthly)}: ${tell(monthly)}`}</span>
      </p>
    </>
  )
}

function AccessTest() {
  const { t } = useTranslation()
  const [file, setFile] = useState('')
  const test = useMutation({
    mutationFn: () => http.post<SheetAccess>('integration/sheets/test_access', { file: file.trim() }),
    onError: notifyFailure,
  })
  return (
    <div className={classes.service}>
      <div className={classes.fields}>
        <TextInput
          label={t(($) => $.sheets.settings.file)}
          placeholder="https://docs.google.com/spreadsheets/d/…"
          value={file}
          onChange={(event) => setFile(event.currentTarget.value)}
        />
        <Button variant="default" disabled={file.trim() === ''} loading={test.isPending} onClick={() => test.mutate()}>
          {t(($) => $.sheets.settings.test)}
        </Button>
      </div>
      {test.data === undefined ? null : <Access access={test.data} />}
    </div>
  )
}

function Access({ access: { is_open, title, tabs, message, remedy } }: { access: SheetAccess }) {
  const { t } = useTranslation()
  return (
    <p role="status" className={classes.health}>
      {is_open ? (
        <span className={classes.good}>
          {t(($) => $.sheets.settings.open, { title: title ?? '', tabs: tabs.join(', ') })}
        </span>
      ) : (
        <>
          <span className={classes.bad}>{message}</span>
          <span>{remedy}</span>
        </>
      )}
    </p>
  )
}
