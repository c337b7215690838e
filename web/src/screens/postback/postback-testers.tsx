// Testers beside the log of postbacks: one judges an advertiser's event for a partner offer, the other calls a partner's URL once.
import { Button, Drawer, Skeleton, Tabs } from '@mantine/core'
import { IconTestPipe } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { STAFF } from '@tributary/contract/access'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { type LookupOption, lookupLoader } from '../../data/lookup.ts'
import { useCan } from '../../data/profile.ts'
import { keys } from '../../data/query-client.ts'
import { entityOf } from '../../entities/field/field-at.ts'
import type { Row } from '../../entities/list/list-query.ts'
import { EventTester } from '../../entities/testers/event-tester.tsx'
import { PostbackTester, type TestedAddress } from '../../entities/testers/postback-tester.tsx'
import { useLabels } from '../../i18n/labels.ts'
import { LookupSelect } from '../../ui/lookup/lookup-select.tsx'
import { FailedState } from '../../ui/states.tsx'

const links = lookupLoader('offer_partner')
const partners = lookupLoader('partner')

export function PostbackTesters() {
  const { t } = useTranslation()
  const can = useCan()
  const [isOpen, setOpen] = useState(false)
  if (!can(STAFF)) return null
  return (
    <>
      <Button variant="default" leftSection={<IconTestPipe size={15} aria-hidden />} onClick={() => setOpen(true)}>
        {t(($) => $.traffic.testers.open)}
      </Button>
      <Drawer
        opened={isOpen}
        onClose={() => setOpen(false)}
        position="right"
        size={560}
        title={t(($) => $.traffic.testers.title)}
        closeButtonProps={{ 'aria-label': t(($) => $.engine.close) }}
      >
        <Directions mayCall={can(entityOf('partner_postback_url').access.edit)} />
      </Drawer>
    </>
  )
}

function Directions({ mayCall }: { mayCall: boolean }) {
  const { t } = useTranslation()
  const labels = useLabels()
  const [link, setLink] = useState<LookupOption | null>(null)
  const [partner, setPartner] = useState<LookupOption | null>(null)
  return (
    <Tabs defaultValue="in" keepMounted={false}>
      <Tabs.List>
        <Tabs.Tab value="in">{t(($) => $.traffic.testers.in)}</Tabs.Tab>
        {mayCall ? <Tabs.Tab value="out">{t(($) => $.traffic.testers.out)}</Tabs.Tab> : null}
      </Tabs.List>
      <Tabs.Panel value="in" pt="md">
        <LookupSelect label={labels.field('postback', 'offer_partner')} load={links} value={link} onChange={setLink} />
        {link === null ? null : <EventTester key={link.id} id={Number(link.id)} />}
      </Tabs.Panel>
      <Tabs.Panel value="out" pt="md">
        <LookupSelect
          label={labels.field('postback', 'partner')}
          load={partners}
          value={partner}
          onChange={setPartner}
        />
        {partner === null ? null : <Addresses key={partner.id} partner={Number(partner.id)} />}
      </Tabs.Panel>
    </Tabs>
  )
}

const addressesOf = (row: Row): TestedAddress[] =>
  (Array.isArray(row.postback_urls) ? (row.postback_urls as Row[]) : []).map(({ id, url, method }) => ({
    key: String(id),
    id: Number(id),
    url: String(url),
    method: String(method),
  }))

function Addresses({ partner }: { partner: number }) {
  const row = useQuery({
    queryKey: [...keys.entity('partner'), 'row', partner],
    queryFn: ({ signal }) => http.get<Row>(`partner/${partner}`, { signal }),
  })
  if (row.isError) return <FailedState error={row.error} onRetry={() => void row.refetch()} />
  if (row.data === undefined) return <Skeleton height={120} mt="md" />
  return <PostbackTester id={partner} addresses={addressesOf(row.data)} />
}
