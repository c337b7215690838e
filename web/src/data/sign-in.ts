// Two-step sign-in, sign-out and viewing as another user. The answer of the first step stays in memory only, until the second step is done.
import { session } from '../state/session.ts'
import type { TokenData } from '../state/token-store.ts'
import { http } from './http.ts'

/** Views as another user. The server stores it with the session; the page reloads, so that no data of one user is shown to the other. */
export async function viewAs(userId: number): Promise<void> {
  await http.post(`user/${userId}/view_as`, {})
  window.location.assign('/')
}

export async function stopViewing(): Promise<void> {
  await http.delete('profile/view_as')
  window.location.assign('/users')
}

export interface Credentials {
  readonly email: string
  readonly password: string
}

export type SecondFactor =
  | { readonly two_factor: 'code' }
  | { readonly two_factor: 'setup'; readonly secret: string; readonly otpauth_url: string }

export interface PreLogin {
  readonly credentials: Credentials
  readonly factor: SecondFactor
}

let preLogin: PreLogin | null = null

export const readPreLogin = (): PreLogin | null => preLogin

export function forgetPreLogin(): void {
  preLogin = null
}

export async function checkCredentials(credentials: Credentials): Promise<PreLogin> {
  const factor = await http.post<SecondFactor>('token', credentials, { query: { '2fa': 'true' } })
  preLogin = { credentials, factor }
  return preLogin
}

/** Returns recovery codes if the second factor was just set up. The session begins when `enter` is called. */
export async function confirmCode(
  credentials: Credentials,
  code: string,
): Promise<{ codes: readonly string[]; enter: () => void }> {
  const tokens = await http.post<TokenData & { recovery_codes?: string[] }>(
    'token',
    { ...credentials, code },
    { query: { '2fa': 'true' } },
  )
  preLogin = null
  const enter = () => session.save({ token: tokens.token, refreshToken: tokens.refreshToken })
  return { codes: tokens.recovery_codes ?? [], enter }
}

/** Requests a mail with a link that sets a new password. */
export const requestPasswordLink = (email: string): Promise<void> =>
  http.post('profile/recover_password_mail', { email })

/** Sets the password by the token at the end of the mailed link. */
export const setPasswordByLink = (token: string, password: string, repeat: string): Promise<void> =>
  http.post('profile/reset_password', { password, password_repeat: repeat }, { query: { token } })

/** Ends the session on the server and in this browser; in this browser even when the server cannot be reached. */
export async function logOut(): Promise<void> {
  const tokenData = session.read()
  try {
    if (tokenData) await http.post('token/logout', { tokenData })
  } catch {
    // Signing out must not fail; the token expires by itself.
  } finally {
    session.clear('logout')
  }
}
