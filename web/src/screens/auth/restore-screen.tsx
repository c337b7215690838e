// A forgotten password: the address to which a link is sent.
import { Button, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { askForLink } from '../../data/sign-in.ts'
import classes from './auth.module.css'
import { AuthFrame } from './auth-frame.tsx'
import { useFieldFailure } from './sign-in-failure.ts'

export function RestoreScreen() {
  const { t } = useTranslation()
  const explain = useFieldFailure()
  const [email, setEmail] = useState('')
  const [failure, setFailure] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [isSent, setSent] = useState(false)

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (isBusy) return
    setBusy(true)
    setFailure(null)
    try {
      await askForLink(email.trim())
      setSent(true)
    } catch (error) {
      setFailure(explain(error, 'email'))
    } finally {
      setBusy(false)
    }
  }

  const back = (
    <Link to="/auth/login" className={classes.again ?? ''}>
      {t(($) => $.access.restore.toLogin)}
    </Link>
  )
  if (isSent)
    return (
      <AuthFrame
        title={t(($) => $.access.restore.sentTitle)}
        hint={t(($) => $.access.restore.sentHint, { email: email.trim() })}
      >
        <div className={classes.form}>{back}</div>
      </AuthFrame>
    )
  return (
    <AuthFrame title={t(($) => $.access.restore.title)} hint={t(($) => $.access.restore.hint)}>
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
          {t(($) => $.access.restore.send)}
        </Button>
        {back}
      </form>
    </AuthFrame>
  )
}
