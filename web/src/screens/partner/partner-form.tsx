// The form of a partner: managers are chosen among people who are managers, addresses can be tried, contacts are compared with those of others.
import type { FormParts, SectionProps } from '../../entities/form/form-parts.ts'
import { FormScreen } from '../../entities/form/form-screen.tsx'
import { NewRowButton } from '../../entities/form/new-row-button.tsx'
import { MANAGERS } from '../../entities/form/people-options.ts'
import { AddressTester } from './address-tester.tsx'
import { ContactDuplicates } from './contact-duplicates.tsx'

function NewLink({ row }: SectionProps) {
  return row === null ? null : <NewRowButton name="offer_partner" given={{ partner: Number(row.id) }} />
}

const PARTS: FormParts = {
  fields: { 'partner_partner_groups.managers.user': MANAGERS },
  actions: NewLink,
  below: { postback_urls: AddressTester, contacts: ContactDuplicates },
}

export function PartnerForm({ id }: { id: number | null }) {
  return <FormScreen name="partner" id={id} parts={PARTS} />
}
