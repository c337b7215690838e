// The log of postbacks: its own side panel, the live tail, sending again.
import { type ListParts, ListScreen } from '../../entities/list/list-screen.tsx'
import { PostbackPanel } from './postback-panel.tsx'
import { PostbackTools, ResendSelected } from './postback-tools.tsx'
import { SERVER_ZONE } from './server-zone.ts'

const PARTS: ListParts = {
  zone: SERVER_ZONE,
  view: PostbackPanel,
  tools: PostbackTools,
  BulkActs: ResendSelected,
}

export function PostbackList() {
  return <ListScreen name="postback" parts={PARTS} />
}
