// The user's sessions, newest first, and recovery codes.

import { Badge, Button, Skeleton, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { AnswerOf } from '@tributary/contract/calls/registry'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { queryClient } from '../../data/query-client.ts'
import { QUOTED_LETTERS } from '../../entities/field/number-mask.ts'
import { formatDateTime } from '../../lib/date-format.ts'
import { businessZone } from '../../state/profile-facts.ts'
import { CodeList } from '../../ui/copy-field.tsx'
import { notifyFailure, notifySuccess } from '../../ui/notify.ts'
import { FailedState } from '../../ui/states.tsx'
import { onSubmit } from '../../ui/submit.ts'
import classes from './account.module.css'

const KEY = ['account', 'sessions'] as const

export function Sessions() {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => http.get<AnswerOf<'profile_sessions'>>('profile/sessions', { signal }),
  })
  const end = async (path: string) => {
    try {
      await http.delete(path)
      notifySuccess(t(($) => $.account.ended))
      await queryClient.invalidateQueries({ queryKey: KEY })
    } catch (failure) {
      notifyFailure(failure)
    }
  }
  if (error) return <FailedState error={error} onRetry={() => void refetch()} />
  return (
    <>
      <section className={classes.card}>
        <h2>{t(($) => $.account.sessions)}</h2>
        {data ? null : <Skeleton height={120} />}
        <ul className={classes.items}>
          {data?.items.map((session) => (
            <li key={session.id} className={classes.item}>
              <div>
                <div>{deviceOf(session.user_agent) ?? t(($) => $.account.unknownDevice)}</div>
                <p className={classes.quiet}>
                  {session.ip} ·{' '}
                  {t(($) => $.account.lastUsed, {
                    at: formatDateTime(session.last_used_at, businessZone()) ?? '',
                  })}
                </p>
              </div>
              {session.current ? (
                <Badge variant="light">{t(($) => $.account.current)}</Badge>
              ) : (
                <Button variant="default" size="xs" onClick={() => void end(`profile/sessions/${session.id}`)}>
                  {t(($) => $.account.end)}
                </Button>
              )}
            </li>
          ))}
        </ul>
        {(data?.items.length ?? 0) > 1 ? (
          <Button variant="default" onClick={() => void end('profile/sessions')}>
            {t(($) => $.account.endOthers)}
          </Button>
        ) : null}
      </section>
      {data ? <Codes left={data.recovery_codes_left} /> : null}
    </>
  )
}

/** 'Firefox · Windows': enough to recognise one's own device. */
function deviceOf(agent: string | null): string | null {
  if (agent === null) return null
  const browser = /(Edg|OPR|YaBrowser|Firefox|Chrome|Safari)\//.exec(agent)?.[1]
  const system = /(Windows|Android|iPhone|iPad|Mac OS X|Linux)/.exec(agent)?.[1]
  return (
    [browser === 'Edg' ? 'Edge' : browser === 'OPR' ? 'Opera' : browser, system].filter(Boolean).join(' · ') || agent
  )
}

/** Digits of a code of the second factor. */
const CODE_LENGTH = 6

function Codes({ left }: { left: number }) {
  const { t } = useTranslation()
  const [code, setCode] = useState('')
  const [made, setMade] = useState<readonly string[] | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const make = async () => {
    setFailure(null)
    try {
      const { recovery_codes } = await http.post<{ recovery_codes: string[] }>('profile/recovery_codes', { code })
      setMade(recovery_codes)
      setCode('')
    } catch (error) {
      setFailure(error instanceof Error ? error.message : t(($) => $.errors.request))
    }
  }
  return (
    <section className={classes.card}>
      <h2>{t(($) => $.account.codes)}</h2>
      <p className={classes.quiet}>{t(($) => $.account.codesLeft, { number: made?.length ?? left })}</p>
      {made ? <CodeList codes={made} /> : null}
      <p className={classes.quiet}>{t(($) => $.account.codesHint)}</p>
      <form className={classes.form} onSubmit={onSubmit(make)}>
        <TextInput
          inputMode="numeric"
          autoComplete="one-time-code"
          label={t(($) => $.auth.code)}
          value={code}
          error={failure}
          maxLength={CODE_LENGTH}
          onChange={(event) => {
            setFailure(null)
            setCode(event.currentTarget.value.replace(/\D/g, ''))
          }}
          onPaste={(event) => {
            const pasted = event.clipboardData.getData('text').replace(/\s/g, '')
            event.preventDefault()
            if (/^\d+$/.test(pasted)) setCode(pasted.slice(0, CODE_LENGTH))
            setFailure(
              /^\d+$/.test(pasted)
                ? null
                : t(($) => $.engine.rejected.unclear, { text: pasted.slice(0, QUOTED_LETTERS) }),
            )
          }}
        />
        <Button type="submit" variant="default" disabled={code.length < CODE_LENGTH}>
          {t(($) => $.account.codesNew)}
        </Button>
      </form>
    </section>
  )
}
