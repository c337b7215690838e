// The build of the screens. It must be compared before any other read of browser storage: values stored by an older build are cleared,
// except for the sign-in.
import { type KeyStore, localStore, readStored, writeStored } from '../lib/storage.ts'
import { TOKEN_KEY } from './token-store.ts'

const VERSION_KEY = 'build_version'
const SHOWN_KEY = 'update_shown'
const isText = (value: unknown): value is string => typeof value === 'string'

/** Empty in development, where there is nothing to compare. */
export const buildVersion: string =
  typeof document === 'undefined'
    ? ''
    : (document.querySelector<HTMLMetaElement>('meta[name="version"]')?.content ?? '')

/** True if the user should be notified that the system was updated. */
export function noticeVersion(store: KeyStore & Partial<Pick<Storage, 'clear'>>, version: string): boolean {
  if (version === '') return false
  const known = readStored(store, VERSION_KEY, isText)
  if (known === version) return false
  const token = store.getItem(TOKEN_KEY)
  const wasShown = readStored(store, SHOWN_KEY, isText) === version
  store.clear?.()
  if (token !== null) store.setItem(TOKEN_KEY, token)
  writeStored(store, VERSION_KEY, version)
  return known !== null && !wasShown
}

export function recordShown(store: KeyStore, version: string): void {
  writeStored(store, SHOWN_KEY, version)
}

export const wasUpdated: boolean = typeof window !== 'undefined' && noticeVersion(localStore(), buildVersion)
