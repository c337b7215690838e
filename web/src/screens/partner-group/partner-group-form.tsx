// The form of a partner group: it is led by people who are team leaders, its partners are managed by people who are managers.
import type { FormParts } from '../../entities/form/form-parts.ts'
import { FormScreen } from '../../entities/form/form-screen.tsx'
import { LEADERS, MANAGERS } from '../../entities/form/people-options.ts'

const PARTS: FormParts = {
  fields: {
    team_leaders: LEADERS,
    team_leader_for_analysts: LEADERS,
    partner_partner_groups: { add: (words) => words.addPartner },
    'partner_partner_groups.managers.user': MANAGERS,
  },
}

export function PartnerGroupForm({ id }: { id: number | null }) {
  return <FormScreen name="partner_group" id={id} parts={PARTS} />
}
