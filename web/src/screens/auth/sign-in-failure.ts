// Says why signing in failed, in the product's own sentences.
import { useTranslation } from 'react-i18next'
import { HttpError } from '../../data/http-error.ts'

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
