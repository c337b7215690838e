// One secret of the installation, three keys: none can be computed from another, so a leak of one purpose stays there.
import { hkdfSync } from 'node:crypto'

export interface AccessKeys {
  /** Signs access tokens. */
  readonly accessToken: Uint8Array
  /** Makes the next refresh token out of the one before it. */
  readonly refreshToken: Uint8Array
  /** Seals the secrets of second factors. */
  readonly twoFactor: Uint8Array
}

export function deriveKeys(secret: string): AccessKeys {
  const derive = (purpose: string) => new Uint8Array(hkdfSync('sha256', secret, '', `tributary ${purpose}`, 32))
  return { accessToken: derive('access token'), refreshToken: derive('refresh token'), twoFactor: derive('two factor') }
}
