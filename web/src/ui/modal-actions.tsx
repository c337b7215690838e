// The buttons below a form in a modal: cancel and submit. With them, the modal opens in the first field of the form instead of on its close button.
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
    <Group ref={startInForm} justify="flex-end" mt="md">
      <Button variant="default" onClick={onCancel}>
        {t(($) => $.actions.cancel)}
      </Button>
      <Button type="submit" loading={isBusy} disabled={!isReady}>
        {submit}
      </Button>
    </Group>
  )
}

const FIELDS = 'input:enabled:not([type="hidden"]), select:enabled, textarea:enabled'

/** A ref of the content of a modal: where there is a keyboard, the modal opens in its first field, or in the element with `data-autofocus`. */
export function startInFirstField(content: Element | null): void {
  // Mantine focuses the marked element a moment after the modal has appeared.
  if (content === null || matchMedia('(pointer: coarse)').matches) return
  if (content.querySelector('[data-autofocus]') !== null) return
  content.querySelector(FIELDS)?.setAttribute('data-autofocus', '')
}

const startInForm = (actions: HTMLElement | null): void => startInFirstField(actions?.closest('form') ?? null)
