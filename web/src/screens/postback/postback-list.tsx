// The log of postbacks: its own side panel, the live tail, resending.
import type { ListSlots } from '../../entities/list/list-screen.tsx'
import { PostbackPanel, SERVER_ZONE } from './postback-panel.tsx'
import { PostbackTools, ResendSelected } from './postback-tools.tsx'

export const POSTBACK_LIST: ListSlots = {
  zone: SERVER_ZONE,
  view: PostbackPanel,
  tools: PostbackTools,
  live: 'postback',
  BulkActions: ResendSelected,
}
