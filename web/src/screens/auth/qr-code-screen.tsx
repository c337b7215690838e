// Setting up the second factor: the key as a picture and as text, then the first code. Without a first step before it there is nothing to set up.
import { Navigate, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { forgetPreLogin, readPreLogin } from '../../data/sign-in.ts'
import { CopyField } from '../../ui/copy-field.tsx'
import { QrCode } from '../../ui/qr-code.tsx'
import classes from './auth.module.css'
import { AuthFrame } from './auth-frame.tsx'
import { CodeForm } from './code-form.tsx'

export function QrCodeScreen() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const search: Record<string, unknown> = useSearch({ strict: false })
  const [preLogin] = useState(readPreLogin)
  if (preLogin?.factor.two_factor !== 'setup') return <Navigate to="/auth/login" search={search} replace />
  const { secret, otpauth_url } = preLogin.factor
  const leave = () => {
    forgetPreLogin()
    void navigate({ to: '/auth/login', search })
  }
  return (
    <AuthFrame title={t(($) => $.auth.setupTitle)} hint={t(($) => $.auth.setupHint)}>
      <QrCode text={otpauth_url} label={t(($) => $.auth.setupQr)} className={classes.qr} />
      <div className={classes.secret}>
        <p className={classes.label}>{t(($) => $.auth.setupSecret)}</p>
        <CopyField value={secret} whole />
      </div>
      <CodeForm isSetup credentials={preLogin.credentials} onBack={leave} />
    </AuthFrame>
  )
}
