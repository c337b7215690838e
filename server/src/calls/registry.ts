// What answers each declared call. A call without a handler does not compile.
import type { CallName, Calls } from '@tributary/contract/calls/registry'
import type { Handler } from './handler.ts'
import { readProfile } from './profile.ts'
import { createToken, logOut, refreshToken } from './token.ts'

export const HANDLERS = {
  profile_read: readProfile,
  token_create: createToken,
  token_logout: logOut,
  token_refresh: refreshToken,
} satisfies { [N in CallName]: Handler<Calls[N]> }
