// Guards of routes: they send signed-out users to sign in and back, signed-in users past the sign-in screens, and check permissions.

import { redirect } from '@tanstack/react-router'
import { isAllowed, type Requirement } from '@tributary/contract/access'
import { HttpError } from '../data/http-error.ts'
import { holderOf, profileQuery } from '../data/profile.ts'
import { queryClient } from '../data/query-client.ts'
import { HOME } from '../lib/safe-return.ts'
import { session } from '../state/session.ts'

interface Place {
  readonly location: { readonly href: string }
}

export const LOGIN = '/auth/login'

const toLogin = (href: string) => redirect({ to: LOGIN, search: href === '/' || href === HOME ? {} : { return: href } })

export async function requireSession({ location }: Place): Promise<void> {
  if (session.read() === null) throw toLogin(location.href)
  try {
    await queryClient.ensureQueryData(profileQuery)
  } catch (error) {
    if (error instanceof HttpError && error.status === 401) throw toLogin(location.href)
    throw error
  }
}

/** Loads the profile if there is a session. An error page opens without it. */
export async function loadProfile(): Promise<void> {
  if (session.read() !== null) await queryClient.prefetchQuery(profileQuery)
}

export function requireNoSession(): void {
  if (session.read() !== null) throw redirect({ to: '/', replace: true })
}

export function requireAccess(access: Requirement): () => Promise<void> {
  return async () => {
    const profile = await queryClient.ensureQueryData(profileQuery)
    if (!isAllowed(access, holderOf(profile))) throw redirect({ to: '/403', replace: true })
  }
}
