// Beside the filters of the log: the live tail, and sending again everything that is filtered, after its number has been told.
import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { leadersOr } from '@tributary/contract/access'
import { writeListQuery } from '@tributary/contract/list-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../data/profile.ts'
import type { ListToolsProps } from '../../entities/list-screen.tsx'
import { LiveTail } from '../../entities/live-tail.tsx'
import { confirmAct } from '../../ui/confirm.ts'
import { notifyFailure, notifySuccess } from '../../ui/notify.ts'
import { resend } from './postback-story.ts'

export function PostbackTools({ name, list }: ListToolsProps) {
  const can = useCan()
  return (
    <>
      {can(leadersOr('partners_edit')) ? <ResendFiltered list={list} /> : null}
      <LiveTail name={name} topic="postback" list={list} />
    </>
  )
}

function ResendFiltered({ list }: Pick<ListToolsProps, 'list'>) {
  const { t } = useTranslation()
  const [isBusy, setBusy] = useState(false)
  const run = async (): Promise<void> => {
    const params = writeListQuery({ ...list.query, page: 1, order: [] })
    const filter = new URLSearchParams(params).toString()
    const { count } = await resend({ filter, dry_run: true })
    if (count === 0) return notifyFailure(t(($) => $.traffic.resend.none))
    const isAgreed = await confirmAct({
      title: t(($) => $.traffic.resend.title, { count }),
      text: t(($) => $.traffic.resend.text),
      confirm: t(($) => $.traffic.resend.confirm),
    })
    if (!isAgreed) return
    const resent = await resend({ filter })
    const left = resent.untold > 0 ? ` ${t(($) => $.traffic.resend.left, { count: resent.untold })}` : ''
    notifySuccess(t(($) => $.traffic.resend.begun, { count: resent.count }) + left)
  }
  return (
    <Button
      variant="default"
      loading={isBusy}
      leftSection={<IconRefresh size={15} aria-hidden />}
      onClick={() => {
        setBusy(true)
        run()
          .catch((failure: unknown) => notifyFailure(failure))
          .finally(() => setBusy(false))
      }}
    >
      {t(($) => $.traffic.resend.all)}
    </Button>
  )
}
