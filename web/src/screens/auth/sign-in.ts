// Starts the session after sign-in, and explains failed sign-ins in words.

import { useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { HttpError } from '../../data/http-error.ts'
import { safeReturn } from '../../lib/safe-return.ts'

/** Starts the session after either step and opens the page that the user wanted. */
export function useEnter(): (enter: () => void) => Promise<void> {
  const navigate = useNavigate()
  const search: Record<string, unknown> = useSearch({ strict: false })
  return async (enter) => {
    enter()
    await navigate({ href: safeReturn(search.return), replace: true })
  }
}

export function useSignInFailure(): (error: unknown) => string {
  const { t } = useTranslation()
  return (error) => {
    if (!(error instanceof HttpError)) return t(($) => $.errors.request)
    if (error.code === 'wrong_credentials') return t(($) => $.auth.wrongCredentials)
    if (error.code === 'wrong_code') return t(($) => $.auth.wrongCode)
    if (error.retryAfter !== undefined) return t(($) => $.auth.tooMany, { seconds: error.retryAfter })
    return error.message
  }
}

/** Returns the server's message about one of these fields, or else about the whole call. */
export function useFieldFailure(): (error: unknown, ...fields: string[]) => string {
  const explainFailure = useSignInFailure()
  return (error, ...fields) => {
    const said = error instanceof HttpError && !Array.isArray(error.formErrors) ? error.formErrors : undefined
    const first = fields.map((field) => said?.[field]).find((found) => Array.isArray(found))
    return Array.isArray(first) ? first.join(' ') : explainFailure(error)
  }
}
