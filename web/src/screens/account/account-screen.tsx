// The user's own account: sessions, password, recovery codes, API keys.

import { Button, PasswordInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { HttpError } from '../../data/http-error.ts'
import { queryClient } from '../../data/query-client.ts'
import { failureText } from '../../lib/form-errors.ts'
import { NewPassword } from '../../ui/new-password.tsx'
import { notifySuccess } from '../../ui/notify.ts'
import { Page } from '../../ui/page.tsx'
import { onSubmit } from '../../ui/submit.ts'
import { useBusy } from '../../ui/use-busy.ts'
import classes from './account.module.css'
import { ApiKeys } from './api-keys.tsx'
import { Sessions } from './sessions.tsx'

const NOTHING = { password: '', repeat: '' }

/** Changing the password ends the sessions of other devices. */
function PasswordCard() {
  const { t } = useTranslation()
  const [current, setCurrent] = useState('')
  const [typed, setTyped] = useState(NOTHING)
  const [failure, setFailure] = useState<string | null>(null)
  const { isBusy, run } = useBusy()
  const showFailure = (error: unknown) =>
    setFailure(error instanceof HttpError ? failureText(error) : t(($) => $.errors.request))
  const change = () =>
    run(async () => {
      setFailure(null)
      const body = { current_password: current, password: typed.password, password_repeat: typed.repeat }
      await http.put('profile/password', body)
      notifySuccess(t(($) => $.account.passwordChanged))
      setCurrent('')
      setTyped(NOTHING)
      await queryClient.invalidateQueries({ queryKey: ['account'] })
    }, showFailure)
  return (
    <section className={classes.card}>
      <h2>{t(($) => $.account.password)}</h2>
      <form className={classes.form} onSubmit={onSubmit(change)}>
        <PasswordInput
          autoComplete="current-password"
          label={t(($) => $.account.currentPassword)}
          visibilityToggleButtonProps={{ 'aria-label': t(($) => $.auth.showPassword) }}
          value={current}
          onChange={(event) => setCurrent(event.currentTarget.value)}
        />
        <NewPassword value={typed} onChange={setTyped} />
        {failure ? (
          <p role="alert" className={classes.failure}>
            {failure}
          </p>
        ) : null}
        <Button type="submit" loading={isBusy} disabled={current === '' || typed.password === ''}>
          {t(($) => $.account.changePassword)}
        </Button>
      </form>
    </section>
  )
}

export function AccountScreen() {
  const { t } = useTranslation()
  return (
    <Page title={t(($) => $.screens.account.title)} subtitle={t(($) => $.screens.account.subtitle)}>
      <div className={classes.grid}>
        <Sessions />
        <PasswordCard />
        <ApiKeys />
      </div>
    </Page>
  )
}
