// The buttons below a form in a modal: cancel and submit.
import { Button, Group } from '@mantine/core'
import { useTranslation } from 'react-i18next'

interface ModalActionsProps {
  /** The label of the button that submits. */
  readonly submit: string
  readonly onCancel: () => void
  readonly isBusy?: boolean
  /** False while the form cannot be submitted. */
  readonly isReady?: boolean
}

export function ModalActions({ submit, onCancel, isBusy = false, isReady = true }: ModalActionsProps) {
  const { t } = useTranslation()
  return (
    <Group justify="flex-end" mt="md">
      <Button variant="default" onClick={onCancel}>
        {t(($) => $.actions.cancel)}
      </Button>
      <Button type="submit" loading={isBusy} disabled={!isReady}>
        {submit}
      </Button>
    </Group>
  )
}
