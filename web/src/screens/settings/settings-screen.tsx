// The installation's settings, and the URL, credential and last result of each external service.
import { Button, PasswordInput, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { IntegrationName, IntegrationState } from '@tributary/contract/calls/integration'
import { SETTING_ID } from '@tributary/contract/entities/setting'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { FormScreen } from '../../entities/form/form-screen.tsx'
import type { FormSlots, SectionProps } from '../../entities/form/form-slots.ts'
import { currentWords } from '../../i18n/language.ts'
import { formatDateTime } from '../../lib/date-format.ts'
import { notifyFailure, notifySuccess } from '../../ui/notify.ts'
import { FailedState } from '../../ui/states.tsx'
import { AgencyPercentages } from './agency-percentages.tsx'
import classes from './integrations-panel.module.css'
import { LastChange } from './last-change.tsx'
import { ScheduledTime } from './scheduled-time.tsx'
import { SheetsPanel } from './sheets-panel.tsx'

function SpendPanels({ row }: SectionProps) {
  return (
    <>
      <AgencyPercentages row={row} />
      <SheetsPanel />
      <Services names={SHEETS} />
    </>
  )
}

const SLOTS: FormSlots = {
  title: () => currentWords().screens.settings.title,
  lead: LastChange,
  isSearched: true,
  fields: {
    daily_spend_parsing_time: { input: ScheduledTime },
    monthly_spend_parsing_time: { input: ScheduledTime },
    players_api_retrieval_time: { input: ScheduledTime },
    alert_mail_time: { input: ScheduledTime },
    backup_time: { input: ScheduledTime },
    personal_data_days: { hint: (words) => words.retention.personal_data_days },
    click_months: { hint: (words) => words.retention.click_months },
    postback_months: { hint: (words) => words.retention.postback_months },
    attempt_months: { hint: (words) => words.retention.attempt_months },
    audit_months: { hint: (words) => words.retention.audit_months },
    fact_log_months: { hint: (words) => words.retention.fact_log_months },
  },
  below: { spends: SpendPanels, players: IntegrationsPanel },
}

/** The settings of the installation: one row, on a page of its own [ENT-23]. */
export function SettingsScreen() {
  return <FormScreen name="setting" id={SETTING_ID} slots={SLOTS} />
}

const KEY = ['integrations'] as const

const useIntegrations = () =>
  useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => http.get<{ items: IntegrationState[] }>('integration', { signal }),
  })

export function IntegrationsPanel() {
  const { t } = useTranslation()
  return (
    <section className={classes.panel} aria-label={t(($) => $.players.integrations.title)}>
      <h2 className={classes.title}>{t(($) => $.players.integrations.title)}</h2>
      <p className={classes.text}>{t(($) => $.players.integrations.text)}</p>
      <Services names={PLAYERS} />
    </section>
  )
}

const PLAYERS: readonly IntegrationName[] = ['players_api', 'crm']
const SHEETS: readonly IntegrationName[] = ['sheets']

function Services({ names }: { names: readonly IntegrationName[] }) {
  const list = useIntegrations()
  if (list.isError) return <FailedState error={list.error} onRetry={() => void list.refetch()} />
  return list.data?.items
    .filter(({ name }) => names.includes(name))
    .map((integration) => (
      <Service
        key={`${integration.name} ${integration.base_url} ${integration.has_credential}`}
        integration={integration}
        onSaved={() => void list.refetch()}
      />
    ))
}

function Service({ integration, onSaved }: { integration: IntegrationState; onSaved: () => void }) {
  const { t } = useTranslation()
  const [address, setAddress] = useState(integration.base_url ?? '')
  const [credential, setCredential] = useState('')
  const save = useMutation({
    mutationFn: () =>
      http.put(`integration/${integration.name}`, {
        base_url: address.trim(),
        ...(credential === '' ? {} : { credential }),
      }),
    onSuccess: () => {
      notifySuccess(t(($) => $.players.integrations.saved))
      setCredential('')
      onSaved()
    },
    onError: notifyFailure,
  })
  const isChanged = address.trim() !== (integration.base_url ?? '') || credential !== ''
  return (
    <div className={classes.service}>
      <h3 className={classes.name}>{t(($) => $.players.integrations.names[integration.name])}</h3>
      <div className={classes.fields}>
        <TextInput
          label={t(($) => $.players.integrations.address)}
          placeholder="https://"
          value={address}
          onChange={(event) => setAddress(event.currentTarget.value)}
        />
        <PasswordInput
          label={t(($) => $.players.integrations.credential)}
          placeholder={integration.has_credential ? t(($) => $.players.integrations.credentialKept) : ''}
          autoComplete="off"
          value={credential}
          onChange={(event) => setCredential(event.currentTarget.value)}
        />
        <Button variant="default" disabled={!isChanged} loading={save.isPending} onClick={() => save.mutate()}>
          {t(($) => $.players.integrations.save)}
        </Button>
      </div>
      <Health integration={integration} />
    </div>
  )
}

function Health({
  integration: { last_success_at, last_error_at, last_error, is_paused },
}: {
  integration: IntegrationState
}) {
  const { t } = useTranslation()
  // A success since then has ended the trouble.
  const isOver = last_success_at !== null && last_error_at !== null && last_success_at > last_error_at
  // As the times at which jobs run, which stand on the same page.
  const at = (moment: string) => `${formatDateTime(moment, 'UTC') ?? ''} UTC`
  return (
    <p className={classes.health}>
      {last_success_at === null && last_error_at === null ? (
        <span>{t(($) => $.players.integrations.never)}</span>
      ) : null}
      {last_success_at === null ? null : (
        <span className={classes.good}>
          {t(($) => $.players.integrations.lastSuccess, { at: at(last_success_at) })}
        </span>
      )}
      {last_error_at === null ? null : (
        <span className={isOver ? undefined : classes.bad}>
          {t(($) => $.players.integrations.lastError, { at: at(last_error_at), error: last_error ?? '' })}
        </span>
      )}
      {is_paused ? <span className={classes.bad}>{t(($) => $.players.integrations.paused)}</span> : null}
    </p>
  )
}
