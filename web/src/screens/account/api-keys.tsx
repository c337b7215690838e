// API keys of the signed-in user: created, shown once, revoked.

import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { keys, queryClient } from '../../data/query-client.ts'
import { formatDateTime } from '../../lib/date-format.ts'
import { businessZone } from '../../state/profile-facts.ts'
import { askForConfirmation } from '../../ui/confirm.ts'
import { CopyField } from '../../ui/copy-field.tsx'
import { DayInput } from '../../ui/date/date-input.tsx'
import { notifyFailure } from '../../ui/notify.ts'
import { onSubmit } from '../../ui/submit.ts'
import classes from './account.module.css'

interface ApiKey {
  id: number
  title: string
  prefix: string
  last_used_at: string | null
  expires_at: string | null
}

const KEY = keys.entity('api_key')
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

export function ApiKeys() {
  const { t } = useTranslation()
  const { data } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => http.get<{ items: ApiKey[] }>('api_key', { query: { limit: '-1' }, signal }),
  })
  const revoke = async ({ id, title }: ApiKey) => {
    const isSure = await askForConfirmation({
      title: t(($) => $.account.revokeTitle, { title }),
      text: t(($) => $.account.revokeText),
      confirm: t(($) => $.account.revoke),
      danger: true,
    })
    if (!isSure) return
    await http.delete(`api_key/${id}`).catch(notifyFailure)
    await queryClient.invalidateQueries({ queryKey: KEY })
  }
  const moment = (at: string | null) => formatDateTime(at, businessZone()) ?? ''
  return (
    <section className={classes.card}>
      <h2>{t(($) => $.account.keys)}</h2>
      <p className={classes.quiet}>{t(($) => $.account.keysHint)}</p>
      {data?.items.length === 0 ? <p className={classes.quiet}>{t(($) => $.account.noKeys)}</p> : null}
      <ul className={classes.items}>
        {data?.items.map((key) => (
          <li key={key.id} className={classes.item}>
            <div>
              <div>{key.title}</div>
              <p className={classes.quiet}>
                {key.prefix}… ·{' '}
                {key.last_used_at === null
                  ? t(($) => $.account.keyNever)
                  : t(($) => $.account.keyUsed, { at: moment(key.last_used_at) })}
                {key.expires_at === null ? null : (
                  <> · {t(($) => $.account.keyUntil, { at: moment(key.expires_at) })}</>
                )}
              </p>
            </div>
            <Button variant="default" size="xs" onClick={() => void revoke(key)}>
              {t(($) => $.account.revoke)}
            </Button>
          </li>
        ))}
      </ul>
      <NewKey />
    </section>
  )
}

function NewKey() {
  const { t } = useTranslation()
  const [title, setTitle] = useState('')
  const [until, setUntil] = useState(() => inDays(90))
  const [made, setMade] = useState<string | null>(null)
  const make = async () => {
    try {
      const { key } = await http.post<{ key: string }>('api_key', { title, expires_on: until })
      setMade(key)
      setTitle('')
      await queryClient.invalidateQueries({ queryKey: KEY })
    } catch (error) {
      notifyFailure(error)
    }
  }
  return (
    <form className={classes.form} onSubmit={onSubmit(make)}>
      {made ? (
        <div role="alert">
          <p className={classes.quiet}>{t(($) => $.account.keyMade)}</p>
          <CopyField value={made} whole />
        </div>
      ) : null}
      <TextInput
        label={t(($) => $.account.keyTitle)}
        value={title}
        onChange={(event) => setTitle(event.currentTarget.value)}
      />
      <DayInput label={t(($) => $.account.keyExpires)} value={until} onChange={(day) => setUntil(day ?? '')} />
      <Button type="submit" variant="default" disabled={title.trim() === '' || until === ''}>
        {t(($) => $.account.keyMake)}
      </Button>
    </form>
  )
}
