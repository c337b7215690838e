// The form of a partner: managers are chosen among people who are managers, addresses can be tried, contacts are compared with those of others.
import type { FormParts } from '../../entities/form-parts.ts'
import { FormScreen } from '../../entities/form-screen.tsx'
import { ContactDuplicates } from './contact-duplicates.tsx'
import { PostbackTester } from './postback-tester.tsx'

const PARTS: FormParts = {
  fields: {
    'partner_partner_groups.managers.user': {
      conditions: [
        { path: 'role.kind', operator: 'eq', values: ['MANAGER'] },
        { path: 'enabled', operator: 'eq', values: ['1'] },
      ],
    },
  },
  below: { postback_urls: PostbackTester, contacts: ContactDuplicates },
}

export function PartnerForm({ id }: { id: number | null }) {
  return <FormScreen name="partner" id={id} parts={PARTS} />
}
