// The list of players: what is selected in it can have its payment resolved.
import { type ListParts, ListScreen } from '../../entities/list/list-screen.tsx'
import { PaymentActs } from './payment-acts.tsx'

const PARTS: ListParts = { BulkActs: PaymentActs }

export function PlayerList() {
  return <ListScreen name="player" parts={PARTS} />
}
