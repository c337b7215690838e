// The list of offers: switching one on or off has a call of its own.
import { http } from '../../data/http.ts'
import { type ListParts, ListScreen } from '../../entities/list/list-screen.tsx'

const PARTS: ListParts = {
  setActive: (row, isActive) =>
    http.put(`offer/activate/${row.id}`, undefined, { query: { activate: isActive ? '1' : '0' } }),
}

export function OfferList() {
  return <ListScreen name="offer" parts={PARTS} />
}
