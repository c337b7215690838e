// The product's own way to the server, wired to this browser: its tokens, language, group filter and locks.
import i18next from 'i18next'
import { currentLanguage } from '../i18n/language.ts'
import { groupFilter } from '../state/preferences.ts'
import { session } from '../state/session.ts'
import { createHttp } from './http-client.ts'

/** One tab at a time renews the token; without Web Locks (plain http on a far host) each tab does so alone. */
function lock<T>(work: () => Promise<T>): Promise<T> {
  return navigator.locks ? navigator.locks.request('token-refresh', work) : work()
}

export const http = createHttp({
  baseUrl: '/api',
  tokens: session,
  lock,
  language: currentLanguage,
  groupFilter: groupFilter.get,
  say: {
    noResponse: () => i18next.t(($) => $.errors.noResponse),
    timeout: () => i18next.t(($) => $.errors.timeout),
    unexpected: (status) => i18next.t(($) => $.errors.unexpected, { status }),
  },
})
