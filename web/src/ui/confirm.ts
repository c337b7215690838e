// Asks before an act: says what it will do; resolves true when the person agrees.
import { modals } from '@mantine/modals'
import i18next from 'i18next'
import type { ReactNode } from 'react'

interface Question {
  title: string
  text?: ReactNode
  /** The word on the button that does it. */
  confirm: string
  /** The word on the button that does not; without it 'Cancel'. */
  decline?: string | undefined
  /** Red button: the act destroys something. */
  danger?: boolean | undefined
}

export function askForConfirmation({ title, text, confirm, decline, danger = false }: Question): Promise<boolean> {
  return new Promise((resolve) => {
    modals.openConfirmModal({
      title,
      children: text,
      labels: { confirm, cancel: decline ?? i18next.t(($) => $.actions.cancel) },
      confirmProps: danger ? { color: 'red' } : {},
      closeButtonProps: { 'aria-label': i18next.t(($) => $.actions.close) },
      onConfirm: () => resolve(true),
      onCancel: () => resolve(false),
      onClose: () => resolve(false),
    })
  })
}

/** Closes every open question; each is answered with no. */
export const closeDialogs = (): void => modals.closeAll()
