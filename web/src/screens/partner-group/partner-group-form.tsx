// The form of a partner group: leaders must be team leaders, managers must be managers.

import { ADMIN_OR_LEADERS, type FormSlots, MANAGERS } from '../../entities/form/form-slots.ts'

export const PARTNER_GROUP_FORM: FormSlots = {
  fields: {
    team_leaders: ADMIN_OR_LEADERS,
    team_leader_for_analysts: ADMIN_OR_LEADERS,
    partner_partner_groups: { add: (words) => words.addPartner },
    'partner_partner_groups.managers.user': MANAGERS,
  },
}
