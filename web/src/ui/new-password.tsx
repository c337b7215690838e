// A new password, typed twice and checked while it is typed, with a generator whose passwords always pass.
import { Button, PasswordInput } from '@mantine/core'
import { checkPassword, generatePassword } from '@tributary/contract/password'
import { say } from '@tributary/contract/words/messages'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { currentLanguage } from '../i18n/language.ts'
import classes from './new-password.module.css'

export interface TypedPassword {
  readonly password: string
  readonly repeat: string
}

interface NewPasswordProps {
  value: TypedPassword
  onChange: (value: TypedPassword) => void
  size?: 'sm' | 'md'
}

/** Returns a uniform random integer below n; it discards values that would bias the remainder. */
export function pickAtRandom(n: number): number {
  const limit = Math.floor(0x1_0000_0000 / n) * n
  for (;;) {
    const [value = limit] = crypto.getRandomValues(new Uint32Array(1))
    if (value < limit) return value % n
  }
}

/** The reasons why the password is not allowed; null if it is. */
export function explainPassword(password: string): string | null {
  const issues = checkPassword(password)
  return issues.length === 0 ? null : issues.map(({ key, values }) => say(currentLanguage(), key, values)).join('. ')
}

export function NewPassword({ value, onChange, size = 'sm' }: NewPasswordProps) {
  const { t } = useTranslation()
  const [isMadeUp, setMadeUp] = useState(false)
  const makeUp = () => {
    const password = generatePassword(pickAtRandom)
    onChange({ password, repeat: password })
    setMadeUp(true)
    void navigator.clipboard?.writeText(password).catch(() => undefined)
  }
  return (
    <>
      <PasswordInput
        size={size}
        name="new-password"
        autoComplete="new-password"
        label={t(($) => $.password.password)}
        description={isMadeUp ? t(($) => $.password.generated) : undefined}
        visibilityToggleButtonProps={{ 'aria-label': t(($) => $.auth.showPassword) }}
        value={value.password}
        error={value.password === '' ? null : explainPassword(value.password)}
        onChange={(event) => onChange({ ...value, password: event.currentTarget.value })}
      />
      <PasswordInput
        size={size}
        name="repeat-password"
        autoComplete="new-password"
        label={t(($) => $.password.repeat)}
        visibilityToggleButtonProps={{ 'aria-label': t(($) => $.auth.showPassword) }}
        value={value.repeat}
        error={value.repeat === '' || value.repeat === value.password ? null : t(($) => $.password.differ)}
        onChange={(event) => onChange({ ...value, repeat: event.currentTarget.value })}
      />
      <Button variant="default" size={size === 'md' ? 'sm' : 'xs'} className={classes.generate ?? ''} onClick={makeUp}>
        {t(($) => $.password.generate)}
      </Button>
    </>
  )
}
