// The list of partners: a new one is not approved until somebody says so.
import { type ListParts, ListScreen } from '../../entities/list/list-screen.tsx'

const PARTS: ListParts = { form: { fields: { state: { initial: 'unapproved' } } } }

export function PartnerList() {
  return <ListScreen name="partner" parts={PARTS} />
}
