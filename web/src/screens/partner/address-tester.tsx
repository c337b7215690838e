// Under a partner's addresses: any of them can be tried. What is typed but not saved is tested as it is.
import { useWatch } from 'react-hook-form'
import { useCan } from '../../data/profile.ts'
import { entityOf } from '../../entities/field/field-at.ts'
import type { SectionProps } from '../../entities/form/form-parts.ts'
import { type ChildRow, type FormRow, isNewChild } from '../../entities/form/form-row.ts'
import { PostbackTester, type TestedAddress } from '../../entities/testers/postback-tester.tsx'

const addressesOf = (value: unknown): TestedAddress[] =>
  (Array.isArray(value) ? (value as ChildRow[]) : [])
    .filter(({ url, _status }) => typeof url === 'string' && url.trim() !== '' && _status !== 'deleted')
    .map((row) => ({
      key: row._key,
      id: isNewChild(row) ? null : Number(row.id),
      url: String(row.url),
      method: typeof row.method === 'string' ? row.method : 'GET',
    }))

export function AddressTester({ row }: SectionProps) {
  const can = useCan()
  const addresses = addressesOf(useWatch<FormRow>({ name: 'postback_urls' }))
  if (row === null || !can(entityOf('partner_postback_url').access.edit)) return null
  return <PostbackTester id={Number(row.id)} addresses={addresses} />
}
