// Verifies a statement's file without an account.

import { FileInput } from '@mantine/core'
import type { AnswerOf } from '@tributary/contract/calls/registry'
import { formatMonth } from '@tributary/contract/period'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { HttpError } from '../../data/http-error.ts'
import { currentLanguage } from '../../i18n/language.ts'
import { formatDay } from '../../lib/date-format.ts'
import { failureText } from '../../lib/form-errors.ts'
import { LanguageMenu, ThemeMenu } from '../../ui/frame-menus.tsx'
import { Logo } from '../../ui/logo.tsx'
import { StateBadge, type Tone } from '../../ui/state-badge.tsx'
import classes from './verify.module.css'

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
    <main className={classes.page}>
      <div className={classes.head}>
        <span className={classes.brand}>
          <Logo className={classes.sign} />
          {t(($) => $.product)}
        </span>
        <LanguageMenu />
        <ThemeMenu />
      </div>
      <h1 className={classes.title}>{t(($) => $.billing.verify.title)}</h1>
      <p className={classes.text}>{t(($) => $.billing.verify.text)}</p>
      <FileInput
        accept="application/pdf"
        label={t(($) => $.billing.verify.file)}
        placeholder={t(($) => $.billing.verify.choose)}
        onChange={(file) => void check(file)}
        clearable
      />
      <div aria-live="polite" className={classes.answer}>
        {failure === null ? null : <p role="alert">{failure}</p>}
        {answer === null ? null : (
          <>
            <StateBadge tone={TONES[answer.verdict]}>{t(($) => $.billing.verify.verdicts[answer.verdict])}</StateBadge>
            {answer.number === null ? null : (
              <p>
                {t(($) => $.billing.verify.of, {
                  number: answer.number,
                  month: answer.month === null ? '' : formatMonth(`${answer.month}-01`, currentLanguage()),
                  day: formatDay(answer.approved_on) ?? '',
                })}
              </p>
            )}
            <p className={classes.sum}>SHA-256 {answer.sha256}</p>
          </>
        )}
      </div>
    </main>
  )
}
