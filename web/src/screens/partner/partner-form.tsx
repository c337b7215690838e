// The form of a partner: managers are chosen among people who are managers.
import type { FormParts } from '../../entities/form-parts.ts'
import { FormScreen } from '../../entities/form-screen.tsx'

const PARTS: FormParts = {
  fields: {
    'partner_partner_groups.managers.user': {
      conditions: [
        { path: 'role.kind', operator: 'eq', values: ['MANAGER'] },
        { path: 'enabled', operator: 'eq', values: ['1'] },
      ],
    },
  },
}

export function PartnerForm({ id }: { id: number | null }) {
  return <FormScreen name="partner" id={id} parts={PARTS} />
}
