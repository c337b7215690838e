// Stores the signed-in user's tokens in browser storage, shared by all tabs. Reports who changed them: this tab or another.
import { type KeyStore, readStored, writeStored } from '../lib/storage.ts'

export interface TokenData {
  readonly token: string
  readonly refreshToken: string
}

/** 'expired': the server rejected the token. 'logout': the user signed out. 'other-tab': another tab did either, or signed in. */
export type TokenChange = 'saved' | 'expired' | 'logout' | 'other-tab'

export interface TokenStore {
  read(): TokenData | null
  save(tokens: TokenData): void
  clear(reason: 'expired' | 'logout'): void
  /** Reports that another tab wrote to the storage. */
  noticeOtherTab(): void
  subscribe(listener: (change: TokenChange) => void): () => void
}

export const TOKEN_KEY = 'token_data'

function isTokenData(value: unknown): value is TokenData {
  return (
    typeof value === 'object' &&
    value !== null &&
    'token' in value &&
    typeof value.token === 'string' &&
    'refreshToken' in value &&
    typeof value.refreshToken === 'string'
  )
}

export function createTokenStore(store: KeyStore): TokenStore {
  const listeners = new Set<(change: TokenChange) => void>()
  const tell = (change: TokenChange) => {
    for (const listener of listeners) listener(change)
  }
  return {
    read: () => readStored(store, TOKEN_KEY, isTokenData),
    save: (tokens) => {
      writeStored(store, TOKEN_KEY, tokens)
      tell('saved')
    },
    clear: (reason) => {
      store.removeItem(TOKEN_KEY)
      tell(reason)
    },
    noticeOtherTab: () => tell('other-tab'),
    subscribe: (listener) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}
