// Google Sheets in the settings: the address to share spreadsheets with, and whether one can be read.
import { Button, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { SheetAccess, SheetsState } from '@tributary/contract/calls/spend-sheet'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { CopyField } from '../../ui/copy-field.tsx'
import { notifyFailure } from '../../ui/notify.ts'
import { FailedState } from '../../ui/states.tsx'
import classes from './integrations-panel.module.css'

const useSheetsState = () =>
  useQuery({
    queryKey: ['integrations', 'sheets'],
    queryFn: ({ signal }) => http.get<SheetsState>('integration/sheets', { signal }),
  })

export function SheetsPanel() {
  const { t } = useTranslation()
  const state = useSheetsState()
  return (
    <section className={classes.panel} aria-label={t(($) => $.sheets.settings.title)}>
      <h2 className={classes.title}>{t(($) => $.sheets.settings.title)}</h2>
      {state.isError ? <FailedState error={state.error} onRetry={() => void state.refetch()} /> : null}
      {state.data === undefined ? null : <Account account={state.data.account} />}
      <AccessTest />
    </section>
  )
}

function Account({ account }: Pick<SheetsState, 'account'>) {
  const { t } = useTranslation()
  if (account === null) return <p className={classes.text}>{t(($) => $.sheets.settings.noAccount)}</p>
  return (
    <>
      <p className={classes.text}>{t(($) => $.sheets.settings.account)}</p>
      <div className={classes.address}>
        <CopyField value={account} />
      </div>
    </>
  )
}

function AccessTest() {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [file, setFile] = useState('')
  const test = useMutation({
    mutationFn: () => http.post<SheetAccess>('integration/sheets/test_access', { file: file.trim() }),
    onError: notifyFailure,
    // The test is the latest word on the connection, which the services name.
    onSuccess: () => client.invalidateQueries({ queryKey: ['integrations'] }),
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
        <Button
          className={classes.aside}
          variant="default"
          disabled={file.trim() === ''}
          loading={test.isPending}
          onClick={() => test.mutate()}
        >
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
