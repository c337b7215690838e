// The log of postbacks tells its times as the advertisers' servers do: Etc/GMT-6 is the POSIX name of UTC+6.
import { type ListParts, ListScreen } from '../../entities/list-screen.tsx'

const PARTS: ListParts = { zone: { id: 'Etc/GMT-6', mark: 'UTC+6' } }

export function PostbackList() {
  return <ListScreen name="postback" parts={PARTS} />
}
