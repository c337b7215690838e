// Verifies a statement's file without an account.
import { FileInput } from '@mantine/core'
import type { AnswerOf } from '@tributary/contract/calls/registry'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { HttpError } from '../../data/http-error.ts'
import { failureText } from '../../lib/form-errors.ts'
import { StateBadge, type Tone } from '../../ui/state-badge.tsx'

type Answer = AnswerOf<'verify'>

const TONES: Readonly<Record<Answer['verdict'], Tone>> = {
  valid: 'positive',
  superseded: 'warning',
  unknown: 'negative',
}

export function VerifyScreen() {
  const { t } = useTranslation()
  const [answer, setAnswer] = useState<Answer | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const check = async (file: File | null) => {
    setAnswer(null)
    setFailure(null)
    if (file === null) return
    try {
      setAnswer(await http.upload<Answer>('verify', file))
    } catch (error) {
      setFailure(error instanceof HttpError ? failureText(error) : t(($) => $.errors.request))
    }
  }
  return (
    <main style={{ maxWidth: 520, margin: '48px auto', padding: '0 16px' }}>
      <h1>{t(($) => $.billing.verify.title)}</h1>
      <p>{t(($) => $.billing.verify.text)}</p>
      <FileInput
        accept="application/pdf"
        label={t(($) => $.billing.verify.file)}
        onChange={(file) => void check(file)}
        clearable
      />
      <div aria-live="polite" style={{ marginTop: 24 }}>
        {failure === null ? null : <p role="alert">{failure}</p>}
        {answer === null ? null : (
          <>
            <StateBadge tone={TONES[answer.verdict]}>{t(($) => $.billing.verify.verdicts[answer.verdict])}</StateBadge>
            {answer.number === null ? null : (
              <p>
                {t(($) => $.billing.verify.of, {
                  number: answer.number,
                  month: answer.month ?? '',
                  day: answer.approved_on ?? '',
                })}
              </p>
            )}
            <p style={{ overflowWrap: 'anywhere', fontSize: 12 }}>SHA-256 {answer.sha256}</p>
          </>
        )}
      </div>
    </main>
  )
}
