// The form of a partner group: leaders must be team leaders, managers must be managers.

import { type FormSlots, LEADERS, MANAGERS } from '../../entities/form/form-slots.ts'

export const PARTNER_GROUP_FORM: FormSlots = {
  fields: {
    team_leaders: LEADERS,
    team_leader_for_analysts: LEADERS,
    partner_partner_groups: { add: (words) => words.addPartner },
    'partner_partner_groups.managers.user': MANAGERS,
  },
}
