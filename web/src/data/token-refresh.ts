// One refresh at a time, in this tab by a shared promise and between tabs by a lock: refresh tokens rotate, so a second one would end the session.
import type { TokenData, TokenStore } from '../state/token-store.ts'

/** 'renewed' = try again with what the store holds now; 'refused' = the session is over. Throws when the server could not be asked. */
export type RefreshOutcome = 'renewed' | 'refused'

export interface RefreshEdge {
  readonly tokens: TokenStore
  /** Runs work while no other tab does the same. */
  readonly lock: <T>(work: () => Promise<T>) => Promise<T>
  /** Asks the server; null = refused. */
  readonly ask: (refreshToken: string) => Promise<TokenData | null>
}

/** Returns a function that renews the token with which a call has just failed. */
export function createRefresh({ tokens, lock, ask }: RefreshEdge): (failedToken: string) => Promise<RefreshOutcome> {
  let underWay: Promise<RefreshOutcome> | null = null

  async function renew(failedToken: string): Promise<RefreshOutcome> {
    const held = tokens.read()
    if (held === null) return 'refused'
    // Another tab, or an earlier call, has renewed it while we waited.
    if (held.token !== failedToken) return 'renewed'
    const next = await ask(held.refreshToken)
    if (next === null) {
      tokens.clear('expired')
      return 'refused'
    }
    tokens.save(next)
    return 'renewed'
  }

  return (failedToken) => {
    underWay ??= lock(() => renew(failedToken)).finally(() => {
      underWay = null
    })
    return underWay
  }
}
