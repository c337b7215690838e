// Asks for a reason before it sends a change.
import { Modal, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ModalActions } from './modal-actions.tsx'
import { notifyFailure } from './notify.ts'
import { onSubmit } from './submit.ts'

interface ReasonModalProps {
  readonly opened: boolean
  readonly title: string
  /** Why it is asked. */
  readonly text?: string
  readonly onClose: () => void
  readonly send: (reason: string) => Promise<unknown>
}

export function ReasonModal({ opened, title, text, onClose, send }: ReasonModalProps) {
  const { t } = useTranslation()
  const [reason, setReason] = useState('')
  const confirm = async () => {
    try {
      await send(reason)
      setReason('')
      onClose()
    } catch (error) {
      notifyFailure(error)
    }
  }
  return (
    <Modal opened={opened} onClose={onClose} title={title}>
      <form onSubmit={onSubmit(confirm)}>
        {text === undefined ? null : (
          <Text size="sm" mb="sm">
            {text}
          </Text>
        )}
        <Textarea
          required
          label={t(($) => $.billing.reason)}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <ModalActions submit={t(($) => $.actions.confirm)} onCancel={onClose} isReady={reason.trim() !== ''} />
      </form>
    </Modal>
  )
}
