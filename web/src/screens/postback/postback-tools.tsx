// Beside the filters of the log: the live tail, and resending all filtered or all selected postbacks. A dialog shows their number first.
import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { leadersOr } from '@tributary/contract/access'
import type { PostbackStory, ResendBody, ResentCount } from '@tributary/contract/calls/postback'
import { writeListQuery } from '@tributary/contract/list-query'
import type { Selection } from '@tributary/contract/selection'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { useCan } from '../../data/profile.ts'
import { keys, queryClient } from '../../data/query-client.ts'
import type { ListToolsProps } from '../../entities/list/list-screen.tsx'
import { askForConfirmation } from '../../ui/confirm.ts'
import { notifyFailure, notifySuccess } from '../../ui/notify.ts'
import { useBusy } from '../../ui/use-busy.ts'
import { PostbackTesters } from './postback-testers.tsx'

export function usePostbackStory(id: number | string): UseQueryResult<PostbackStory> {
  return useQuery({
    queryKey: [...keys.row('postback', id), 'story'],
    queryFn: ({ signal }) => http.get<PostbackStory>(`postback/${id}/story`, { signal }),
    staleTime: 0,
  })
}

export async function resend(body: ResendBody): Promise<ResentCount> {
  const resent = await http.post<ResentCount>('postback_export/resent_postbacks', body)
  if (body.dry_run !== true) await queryClient.invalidateQueries({ queryKey: keys.entity('postback') })
  return resent
}

export function PostbackTools({ list }: ListToolsProps) {
  const { t } = useTranslation()
  const filter = () => new URLSearchParams(writeListQuery({ ...list.query, page: 1, order: [] })).toString()
  return (
    <>
      <ResendButton label={t(($) => $.traffic.resend.all)} bodyOf={() => ({ filter: filter() })} />
      <PostbackTesters />
    </>
  )
}

export function ResendSelected({ selection, onDone }: { selection: Selection; onDone: () => void }) {
  const { t } = useTranslation()
  const { ids, exclusive, filter } = selection
  const numbers = ids.map(Number)
  return (
    <ResendButton
      label={t(($) => $.traffic.resend.one)}
      bodyOf={() => (exclusive ? { filter, excluded: numbers } : { ids: numbers })}
      onDone={onDone}
    />
  )
}

interface ResendButtonProps {
  label: string
  bodyOf: () => ResendBody
  onDone?: () => void
}

function ResendButton({ label, bodyOf, onDone }: ResendButtonProps) {
  const { t } = useTranslation()
  const can = useCan()
  const { isBusy, run } = useBusy()
  if (!can(leadersOr('partners_edit'))) return null
  const send = async (): Promise<void> => {
    const body = bodyOf()
    const { count } = await resend({ ...body, dry_run: true })
    if (count === 0) {
      notifyFailure(t(($) => $.traffic.resend.none))
      return
    }
    const isAgreed = await askForConfirmation({
      title: t(($) => $.traffic.resend.title, { count }),
      text: t(($) => $.traffic.resend.text),
      confirm: t(($) => $.traffic.resend.confirm),
    })
    if (!isAgreed) return
    const resent = await resend(body)
    const left = resent.untold > 0 ? ` ${t(($) => $.traffic.resend.left, { count: resent.untold })}` : ''
    notifySuccess(t(($) => $.traffic.resend.begun, { count: resent.count }) + left)
    onDone?.()
  }
  return (
    <Button
      variant="default"
      loading={isBusy}
      leftSection={<IconRefresh size={15} aria-hidden />}
      onClick={() => void run(send)}
    >
      {label}
    </Button>
  )
}
