// Under a link's postback addresses: each ready to be copied, and what would become of an event that comes to them.
import { useProfile } from '../../data/profile.ts'
import type { SectionProps } from '../../entities/form/form-parts.ts'
import { EventTester } from '../../entities/testers/event-tester.tsx'
import { PostbackTemplates } from './postback-templates.tsx'

export function LinkPostbacks({ row }: SectionProps) {
  const isStaff = useProfile().role.kind !== 'PARTNER'
  return (
    <>
      <PostbackTemplates row={row} />
      {row !== null && isStaff ? <EventTester id={Number(row.id)} /> : null}
    </>
  )
}
