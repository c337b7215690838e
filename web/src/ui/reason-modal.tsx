// Asks for a reason before it sends a change, or for a comment that may be left out.
import { Modal, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ModalActions } from './modal-actions.tsx'
import { notifyFailure } from './notify.ts'
import { onSubmit } from './submit.ts'

interface ReasonModalProps {
  readonly opened: boolean
  readonly title: string
  /** Why it is asked, or what follows. */
  readonly text?: string
  /** The reason may be left out. */
  readonly isOptional?: boolean
  readonly label?: string
  /** The label of the button that sends. */
  readonly submit?: string
  readonly onClose: () => void
  /** If it fails, the modal shows why and stays open. */
  readonly send: (reason: string) => Promise<unknown>
}

export function ReasonModal({
  opened,
  title,
  text,
  isOptional = false,
  label,
  submit,
  onClose,
  send,
}: ReasonModalProps) {
  const { t } = useTranslation()
  const [reason, setReason] = useState('')
  const [isBusy, setBusy] = useState(false)
  const isReady = isOptional || reason.trim() !== ''
  const confirm = async () => {
    if (!isReady) return
    setBusy(true)
    try {
      await send(reason)
      setReason('')
      onClose()
    } catch (error) {
      notifyFailure(error)
    } finally {
      setBusy(false)
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
          data-autofocus
          required={!isOptional}
          label={label ?? t(($) => $.billing[isOptional ? 'optionalReason' : 'reason'])}
          maxLength={1000}
          autosize
          minRows={2}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <ModalActions
          submit={submit ?? t(($) => $.actions.confirm)}
          onCancel={onClose}
          isBusy={isBusy}
          isReady={isReady}
        />
      </form>
    </Modal>
  )
}
