// Three keys derived from the installation's secret. None can be computed from another, so a leaked key harms one purpose only.
import { hkdfSync } from 'node:crypto'

export interface AccessKeys {
  /** Signs access tokens. */
  readonly accessToken: Uint8Array
  /** Derives each refresh token from the one before it. */
  readonly refreshToken: Uint8Array
  /** Encrypts the secrets of second factors. */
  readonly twoFactor: Uint8Array
}

export function deriveKeys(secret: string): AccessKeys {
  const derive = (purpose: string) => new Uint8Array(hkdfSync('sha256', secret, '', `tributary ${purpose}`, 32))
  return { accessToken: derive('access token'), refreshToken: derive('refresh token'), twoFactor: derive('two factor') }
}
