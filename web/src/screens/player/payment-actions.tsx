// Resolves payment for one player or for selected players, after confirmation. Reports the number of changed players.
import { Button } from '@mantine/core'
import { IconBan, IconCheck, IconRestore } from '@tabler/icons-react'
import { PAYMENT_EDIT, type PAYMENT_RESOLUTIONS } from '@tributary/contract/entities/player'
import type { Selection } from '@tributary/contract/selection'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { newRequestId } from '../../data/live.ts'
import { useCan } from '../../data/profile.ts'
import { keys, queryClient } from '../../data/query-client.ts'
import { notifyUndoable } from '../../entities/history/undo.ts'
import { fieldErrors } from '../../lib/form-errors.ts'
import { askForConfirmation } from '../../ui/confirm.ts'
import { notifyFailure } from '../../ui/notify.ts'
import { ReasonModal } from '../../ui/reason-modal.tsx'

type Resolution = (typeof PAYMENT_RESOLUTIONS)[number] | null

interface PaymentActionsProps {
  selection: Selection
  count: number
  onDone: () => void
}

interface Resolved {
  updated: number
  skipped: number
}

export function PaymentActions({ selection, count, onDone }: PaymentActionsProps) {
  const { t } = useTranslation()
  const can = useCan()
  const [unexplained, setUnexplained] = useState<{ resolution: Resolution } | null>(null)
  if (!can(PAYMENT_EDIT)) return null
  const send = async (payment_resolution: Resolution, reason?: string) => {
    const body = { ...selection, payment_resolution, ...(reason !== undefined && { reason }) }
    const requestId = newRequestId()
    const { updated, skipped } = await http.put<Resolved>('player/bulk_update', body, { requestId })
    const sentences: string[] = [
      updated === 0 ? t(($) => $.players.resolve.none) : t(($) => $.players.resolve.done, { count: updated }),
    ]
    if (skipped > 0) sentences.push(t(($) => $.players.resolve.skipped, { count: skipped }))
    if (updated === 0) notifyFailure(sentences.join('; '))
    else notifyUndoable(sentences.join('; '), [requestId], { rows: updated })
    await queryClient.invalidateQueries({ queryKey: keys.entity('player') })
    onDone()
  }
  const resolve = async (payment_resolution: Resolution, confirm: string, text: string) => {
    const players = t(($) => $.players.resolve.players, { count })
    const isAgreed = await askForConfirmation({
      title: t(($) => $.players.resolve.question, { players }),
      text: `${text} ${t(($) => $.players.resolve.note)}`,
      confirm,
    })
    if (!isAgreed) return
    await send(payment_resolution).catch((error: unknown) => {
      if (fieldErrors(error).reason === undefined) throw error
      setUnexplained({ resolution: payment_resolution })
    })
  }
  const act = (resolution: Resolution, confirm: string, text: string) => () =>
    void resolve(resolution, confirm, text).catch((error: unknown) => notifyFailure(error))
  const [approve, decline, reset] = [
    t(($) => $.players.resolve.approve),
    t(($) => $.players.resolve.refuse),
    t(($) => $.players.resolve.reset),
  ]
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconCheck size={15} aria-hidden />}
        onClick={act(
          'approved',
          approve,
          t(($) => $.players.resolve.approveText),
        )}
      >
        {approve}
      </Button>
      <Button
        variant="default"
        leftSection={<IconBan size={15} aria-hidden />}
        onClick={act(
          'not_approved',
          decline,
          t(($) => $.players.resolve.refuseText),
        )}
      >
        {decline}
      </Button>
      <Button
        variant="subtle"
        leftSection={<IconRestore size={15} aria-hidden />}
        onClick={act(
          null,
          reset,
          t(($) => $.players.resolve.resetText),
        )}
      >
        {reset}
      </Button>
      <ReasonModal
        opened={unexplained !== null}
        title={t(($) => $.players.resolve.why)}
        text={t(($) => $.players.resolve.whyText)}
        onClose={() => setUnexplained(null)}
        send={async (reason) => send(unexplained?.resolution ?? null, reason)}
      />
    </>
  )
}
