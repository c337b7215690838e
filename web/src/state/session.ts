// The one token store of this tab. A change made in another tab arrives by the storage event.
import { localStore } from '../lib/storage.ts'
import { createTokenStore, TOKEN_KEY } from './token-store.ts'

export const session = createTokenStore(localStore())

globalThis.window?.addEventListener('storage', (event) => {
  if (event.key === TOKEN_KEY || event.key === null) session.noticeOtherTab()
})
