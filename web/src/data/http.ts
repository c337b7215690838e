// Connects the HTTP client to this browser: its tokens, language, group filter and locks.
import i18next from 'i18next'
import { currentLanguage } from '../i18n/language.ts'
import { groupFilter } from '../state/preferences.ts'
import { session } from '../state/session.ts'
import { createHttp } from './http-client.ts'

/** Lets one tab at a time renew the token. Without Web Locks (plain http on another host) tabs do not wait for each other. */
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
