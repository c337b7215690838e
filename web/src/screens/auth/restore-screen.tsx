// Requests a link for a forgotten password, and sets the new one.
import { Button, TextInput } from '@mantine/core'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { requestPasswordLink, setPasswordByLink } from '../../data/sign-in.ts'
import { NewPassword } from '../../ui/new-password.tsx'
import { notifySuccess } from '../../ui/notify.ts'
import { useBusy } from '../../ui/use-busy.ts'
import classes from './auth.module.css'
import { AuthFrame } from './auth-frame.tsx'
import { useFieldFailure } from './sign-in.ts'

/** The page of a mailed link: sets a new password, typed twice or generated. */
export function RecoveryScreen() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const explainFailure = useFieldFailure()
  const { token = '' } = useParams({ strict: false })
  const [typed, setTyped] = useState({ password: '', repeat: '' })
  const [failure, setFailure] = useState<string | null>(null)
  const { isBusy, run } = useBusy()

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (isBusy) return
    setFailure(null)
    await run(
      async () => {
        await setPasswordByLink(token, typed.password, typed.repeat)
        notifySuccess(t(($) => $.password.done))
        await navigate({ to: '/auth/login', replace: true })
      },
      (error) => setFailure(explainFailure(error, 'password', 'password_repeat')),
    )
  }

  return (
    <AuthFrame title={t(($) => $.access.restore.chooseTitle)} hint={t(($) => $.password.chooseHint)}>
      <form className={classes.form} noValidate onSubmit={(event) => void submit(event)}>
        <NewPassword size="md" value={typed} onChange={setTyped} />
        {failure ? (
          <p role="alert" className={classes.failure}>
            {failure}
          </p>
        ) : null}
        <Button type="submit" size="md" loading={isBusy} fullWidth>
          {t(($) => $.password.set)}
        </Button>
        <Link to="/auth/login" className={classes.again ?? ''}>
          {t(($) => $.password.toLogin)}
        </Link>
      </form>
    </AuthFrame>
  )
}

export function RestoreScreen() {
  const { t } = useTranslation()
  const explainFailure = useFieldFailure()
  const [email, setEmail] = useState('')
  const [failure, setFailure] = useState<string | null>(null)
  const { isBusy, run } = useBusy()
  const [isSent, setSent] = useState(false)

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (isBusy) return
    setFailure(null)
    await run(
      async () => {
        await requestPasswordLink(email.trim())
        setSent(true)
      },
      (error) => setFailure(explainFailure(error, 'email')),
    )
  }

  const back = (
    <Link to="/auth/login" className={classes.again ?? ''}>
      {t(($) => $.password.toLogin)}
    </Link>
  )
  if (isSent)
    return (
      <AuthFrame title={t(($) => $.password.sentTitle)} hint={t(($) => $.password.sentHint, { email: email.trim() })}>
        <div className={classes.form}>{back}</div>
      </AuthFrame>
    )
  return (
    <AuthFrame title={t(($) => $.access.restore.title)} hint={t(($) => $.password.hint)}>
      <form className={classes.form} noValidate onSubmit={(event) => void submit(event)}>
        <TextInput
          size="md"
          type="email"
          name="email"
          autoComplete="username"
          autoFocus
          label={t(($) => $.auth.email)}
          value={email}
          error={failure}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <Button type="submit" size="md" loading={isBusy} fullWidth>
          {t(($) => $.password.send)}
        </Button>
        {back}
      </form>
    </AuthFrame>
  )
}
