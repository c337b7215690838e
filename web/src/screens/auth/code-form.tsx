// The six-digit code of the second step. Typing the last digit or pasting the code submits it.

import { Button, PinInput, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { HttpError } from '../../data/http-error.ts'
import { type Credentials, confirmCode } from '../../data/sign-in.ts'
import { onSubmit } from '../../ui/submit.ts'
import classes from './auth.module.css'
import { useEnter, useSignInFailure } from './sign-in.ts'

const LENGTH = 6

interface CodeFormProps {
  credentials: Credentials
  /** Called after the second factor was set up, with the recovery codes and the function that starts the session. */
  onSetUp?: (made: SignedUp) => void
  onBack: () => void
}

export interface SignedUp {
  readonly codes: readonly string[]
  readonly enter: () => void
}

export function CodeForm({ credentials, onSetUp, onBack }: CodeFormProps) {
  const { t } = useTranslation()
  const go = useEnter()
  const explainFailure = useSignInFailure()
  const [code, setCode] = useState('')
  const [round, setRound] = useState(0)
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const [isRecovering, setRecovering] = useState(false)

  async function submit(digits: string) {
    if (digits.trim().length < LENGTH || isBusy) return
    setBusy(true)
    setFailure(null)
    try {
      const made = await confirmCode(credentials, digits.trim())
      if (onSetUp && made.codes.length > 0) onSetUp(made)
      else await go(made.enter)
    } catch (error) {
      // The first step has expired: the user must start again.
      if (error instanceof HttpError && error.code === 'wrong_credentials') onBack()
      setFailure(explainFailure(error))
      setCode('')
      setRound((before) => before + 1)
      setBusy(false)
    }
  }

  return (
    <form className={classes.form} onSubmit={onSubmit(() => submit(code))}>
      {isRecovering ? (
        <TextInput
          size="md"
          autoFocus
          autoComplete="off"
          label={t(($) => $.access.recovery.code)}
          placeholder="xxxxx-xxxxx"
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
      ) : (
        <PinInput
          key={round}
          length={LENGTH}
          type="number"
          size="lg"
          autoFocus
          oneTimeCode
          placeholder=""
          gap={8}
          classNames={{ pinInput: classes.digit ?? '' }}
          disabled={isBusy}
          error={failure !== null}
          value={code}
          aria-label={t(($) => $.auth.code)}
          getInputProps={(index) => ({ 'aria-label': `${t(($) => $.auth.code)}, ${index + 1}` })}
          onChange={setCode}
          onComplete={(digits) => void submit(digits)}
        />
      )}
      {failure ? (
        <p role="alert" className={classes.failure}>
          {failure}
        </p>
      ) : null}
      <Button type="submit" size="md" loading={isBusy} disabled={code.length < LENGTH} fullWidth>
        {t(($) => $.auth.confirm)}
      </Button>
      {onSetUp ? null : (
        <button
          type="button"
          className={classes.again}
          onClick={() => {
            setCode('')
            setRecovering(!isRecovering)
          }}
        >
          {isRecovering ? t(($) => $.access.recovery.useDigits) : t(($) => $.access.recovery.use)}
        </button>
      )}
      <button type="button" className={classes.again} onClick={onBack}>
        {t(($) => $.auth.back)}
      </button>
    </form>
  )
}
