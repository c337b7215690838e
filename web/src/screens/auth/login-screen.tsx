// Sign-in by two steps on one page: email and password, then the code. Users without a second factor continue to its setup.
import { Button, PasswordInput, TextInput } from '@mantine/core'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Credentials, checkCredentials } from '../../data/sign-in.ts'
import classes from './auth.module.css'
import { AuthFrame } from './auth-frame.tsx'
import { CodeForm } from './code-form.tsx'
import { useSignInFailure } from './sign-in.ts'

export function LoginScreen() {
  const { t } = useTranslation()
  const [credentials, setCredentials] = useState<Credentials | null>(null)
  if (credentials)
    return (
      <AuthFrame title={t(($) => $.auth.codeTitle)} hint={t(($) => $.auth.codeHint, { email: credentials.email })}>
        <CodeForm credentials={credentials} onBack={() => setCredentials(null)} />
      </AuthFrame>
    )
  return (
    <AuthFrame title={t(($) => $.auth.signIn)} hint={t(($) => $.auth.signInHint)}>
      <CredentialsForm onCodeNeeded={setCredentials} />
    </AuthFrame>
  )
}

/** Catches typing errors; the server checks whether the email exists. */
const looksLikeEmail = (text: string) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text)

function CredentialsForm({ onCodeNeeded }: { onCodeNeeded: (credentials: Credentials) => void }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const search: Record<string, unknown> = useSearch({ strict: false })
  const explainFailure = useSignInFailure()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [isSubmitted, setSubmitted] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const emailError = looksLikeEmail(email.trim()) ? null : t(($) => $.auth.invalidEmail)
  const passwordError = password === '' ? t(($) => $.auth.invalidPassword) : null

  async function submit(event: FormEvent) {
    event.preventDefault()
    setSubmitted(true)
    setFailure(null)
    if (emailError || passwordError || isBusy) return
    setBusy(true)
    try {
      const { credentials, factor } = await checkCredentials({ email: email.trim(), password })
      if (factor.two_factor === 'setup') await navigate({ to: '/auth/qr-code', search })
      else onCodeNeeded(credentials)
    } catch (error) {
      setFailure(explainFailure(error))
    } finally {
      setBusy(false)
    }
  }

  return (
    <form className={classes.form} noValidate onSubmit={(event) => void submit(event)}>
      <TextInput
        size="md"
        type="email"
        name="email"
        autoComplete="username"
        autoFocus
        label={t(($) => $.auth.email)}
        value={email}
        error={isSubmitted ? emailError : null}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <PasswordInput
        size="md"
        name="password"
        autoComplete="current-password"
        label={t(($) => $.auth.password)}
        visibilityToggleButtonProps={{ 'aria-label': t(($) => $.auth.showPassword) }}
        value={password}
        error={isSubmitted ? passwordError : null}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      {failure ? (
        <p role="alert" className={classes.failure}>
          {failure}
        </p>
      ) : null}
      <Button type="submit" size="md" loading={isBusy} fullWidth>
        {t(($) => $.auth.next)}
      </Button>
      <Link to="/auth/restore" className={classes.again ?? ''}>
        {t(($) => $.access.restore.link)}
      </Link>
    </form>
  )
}
