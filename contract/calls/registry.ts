// Every call beside the generic ones of entities. Routes, OpenAPI and generated tests loop over it; the server's registry must answer each.
import { profileRead } from './profile.ts'
import { tokenCreate, tokenLogout, tokenRefresh } from './token.ts'

export const CALLS = {
  profile_read: profileRead,
  token_create: tokenCreate,
  token_logout: tokenLogout,
  token_refresh: tokenRefresh,
} as const

export type Calls = typeof CALLS
export type CallName = keyof Calls

export const CALL_NAMES = Object.keys(CALLS) as readonly CallName[]
