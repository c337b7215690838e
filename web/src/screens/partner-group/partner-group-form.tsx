// The form of a partner group: it is led by people who are team leaders.
import type { FieldParts, FormParts } from '../../entities/form-parts.ts'
import { FormScreen } from '../../entities/form-screen.tsx'

const LEADERS: FieldParts = {
  conditions: [
    { path: 'role.kind', operator: 'eq', values: ['TEAM_LEADER'] },
    { path: 'enabled', operator: 'eq', values: ['1'] },
  ],
}
const PARTS: FormParts = { fields: { team_leaders: LEADERS, team_leader_for_analysts: LEADERS } }

export function PartnerGroupForm({ id }: { id: number | null }) {
  return <FormScreen name="partner_group" id={id} parts={PARTS} />
}
