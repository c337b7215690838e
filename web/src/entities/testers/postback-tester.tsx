// Calls one of a partner's postback URLs once with sample values and shows the response.
import { Button, Select } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { AnswerOf } from '@tributary/contract/calls/registry'
import { TOLD_EVENTS } from '@tributary/contract/entities/partner-postback-url'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { useLabels } from '../../i18n/labels.ts'
import { CopyField } from '../../ui/copy-field.tsx'
import { notifyFailure } from '../../ui/notify.ts'
import classes from './tester.module.css'

type Tested = AnswerOf<'partner_test_postback'>

export interface TestedAddress {
  readonly key: string
  /** The id of a saved URL; null for an unsaved one. */
  readonly id: number | null
  readonly url: string
  readonly method: string
}

interface PostbackTesterProps {
  /** The id of the partner. */
  id: number
  addresses: readonly TestedAddress[]
}

/** `custom` stands for events of any name, so there is no event to send. */
const EVENTS = TOLD_EVENTS.filter((name) => name !== 'custom')

export function PostbackTester({ id, addresses }: PostbackTesterProps) {
  const { t } = useTranslation()
  const labels = useLabels()
  const [key, setKey] = useState<string | null>(null)
  const [event, setEvent] = useState<string>('reg')
  const address = addresses.find((one) => one.key === key) ?? addresses[0]
  const test = useMutation({
    mutationFn: (chosen: TestedAddress) =>
      http.post<Tested>(`partner/${id}/test_postback`, {
        url: chosen.url.trim(),
        method: chosen.method,
        event,
        ...(chosen.id === null ? {} : { partner_postback_url: chosen.id }),
      }),
    onError: (error) => notifyFailure(error, { title: t(($) => $.errors.request) }),
  })
  return (
    <section className={classes.below} aria-label={t(($) => $.links.postbackTester)}>
      <h3 className={classes.title}>{t(($) => $.links.postbackTester)}</h3>
      <p className={classes.text}>{t(($) => (address ? $.links.postbackTesterText : $.links.noAddresses))}</p>
      {address === undefined ? null : (
        <>
          <div className={classes.tester}>
            <Select
              label={t(($) => $.links.postbackAddress)}
              allowDeselect={false}
              data={addresses.map((one) => ({ value: one.key, label: `${one.method} ${one.url}` }))}
              value={address.key}
              onChange={setKey}
            />
            <Select
              label={t(($) => $.links.event)}
              allowDeselect={false}
              data={EVENTS.map((name) => ({
                value: name,
                label: labels.choice('partner_postback_url', 'events', name),
              }))}
              value={event}
              onChange={(next) => setEvent(next ?? 'reg')}
            />
            <Button variant="default" loading={test.isPending} onClick={() => test.mutate(address)}>
              {t(($) => $.links.fire)}
            </Button>
          </div>
          {test.data === undefined ? null : <Answer tested={test.data} />}
        </>
      )}
    </section>
  )
}

function Answer({ tested }: { tested: Tested }) {
  const { t } = useTranslation()
  const { code, duration_ms: ms, error, response, url } = tested
  const isGood = code !== null && code < 400 && error === null
  return (
    <div className={classes.answer} role="status" data-good={isGood}>
      <strong>{code === null ? t(($) => $.links.notAnswered) : t(($) => $.links.answered, { code, ms })}</strong>
      {error === null ? null : <p className={classes.error}>{error}</p>}
      <dl>
        <dt>{t(($) => $.links.called)}</dt>
        <dd>
          <CopyField value={url} whole />
        </dd>
        {code === null ? null : (
          <>
            <dt>{t(($) => $.links.response)}</dt>
            <dd>{response ? <pre className={classes.response}>{response}</pre> : t(($) => $.links.emptyResponse)}</dd>
          </>
        )}
      </dl>
    </div>
  )
}
