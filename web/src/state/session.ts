// The token store of this tab. Changes in another tab arrive by the storage event.
import { localStore } from '../lib/storage.ts'
import { createTokenStore, TOKEN_KEY } from './token-store.ts'

export const session = createTokenStore(localStore())

globalThis.window?.addEventListener('storage', (event) => {
  if (event.key === TOKEN_KEY || event.key === null) session.noticeOtherTab()
})
