// Sets up the second factor: the key as QR code and text, then the first code. Without a first step it returns to sign-in.

import { Button } from '@mantine/core'
import { Navigate, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { forgetPreLogin, readPreLogin } from '../../data/sign-in.ts'
import { CodeList, CopyField } from '../../ui/copy-field.tsx'
import { QrCode } from '../../ui/link-field.tsx'
import classes from './auth.module.css'
import { AuthFrame } from './auth-frame.tsx'
import { CodeForm, type SignedUp } from './code-form.tsx'
import { useEnter } from './sign-in.ts'

/** Shows the recovery codes once, after the second factor was set up. */
function RecoveryCodes({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) {
  const { t } = useTranslation()
  return (
    <AuthFrame title={t(($) => $.access.recovery.title)} hint={t(($) => $.access.recovery.hint)}>
      <div className={classes.form} role="alert">
        <CodeList codes={codes} />
        <Button size="md" fullWidth onClick={onKept}>
          {t(($) => $.access.recovery.kept)}
        </Button>
      </div>
    </AuthFrame>
  )
}

export function QrCodeScreen() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const search: Record<string, unknown> = useSearch({ strict: false })
  const [preLogin] = useState(readPreLogin)
  const [made, setMade] = useState<SignedUp | null>(null)
  const go = useEnter()
  if (preLogin?.factor.two_factor !== 'setup') return <Navigate to="/auth/login" search={search} replace />
  if (made) return <RecoveryCodes codes={made.codes} onKept={() => void go(made.enter)} />
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
      <CodeForm credentials={preLogin.credentials} onSetUp={setMade} onBack={leave} />
    </AuthFrame>
  )
}
