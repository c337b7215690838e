// The six digits of the second step. The last digit sends them; a pasted code works at once.
import { Button, PinInput } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { HttpError } from '../../data/http-error.ts'
import { type Credentials, confirmCode } from '../../data/sign-in.ts'
import { safeReturn } from '../../lib/safe-return.ts'
import classes from './auth.module.css'
import { useSignInFailure } from './sign-in-failure.ts'

const LENGTH = 6

interface CodeFormProps {
  credentials: Credentials
  onBack: () => void
}

export function CodeForm({ credentials, onBack }: CodeFormProps) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const search: Record<string, unknown> = useSearch({ strict: false })
  const explain = useSignInFailure()
  const [code, setCode] = useState('')
  const [round, setRound] = useState(0)
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)

  async function submit(digits: string) {
    if (digits.length < LENGTH || isBusy) return
    setBusy(true)
    setFailure(null)
    try {
      await confirmCode(credentials, digits)
      await navigate({ href: safeReturn(search.return), replace: true })
    } catch (error) {
      // What the first step knew is gone: start again from there.
      if (error instanceof HttpError && error.code === 'wrong_credentials') onBack()
      setFailure(explain(error))
      setCode('')
      setRound((before) => before + 1)
      setBusy(false)
    }
  }

  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        void submit(code)
      }}
    >
      <PinInput
        key={round}
        length={LENGTH}
        type="number"
        size="lg"
        autoFocus
        oneTimeCode
        placeholder=""
        gap={8}
        disabled={isBusy}
        error={failure !== null}
        value={code}
        aria-label={t(($) => $.auth.code)}
        getInputProps={(index) => ({ 'aria-label': `${t(($) => $.auth.code)}, ${index + 1}` })}
        onChange={setCode}
        onComplete={(digits) => void submit(digits)}
      />
      {failure ? (
        <p role="alert" className={classes.failure}>
          {failure}
        </p>
      ) : null}
      <Button type="submit" size="md" loading={isBusy} disabled={code.length < LENGTH} fullWidth>
        {t(($) => $.auth.confirm)}
      </Button>
      <button type="button" className={classes.again} onClick={onBack}>
        {t(($) => $.auth.back)}
      </button>
    </form>
  )
}
