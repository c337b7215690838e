// Asks for confirmation; resolves true if the user confirms.
import { modals } from '@mantine/modals'
import i18next from 'i18next'
import type { ReactNode } from 'react'

interface Question {
  title: string
  text?: ReactNode
  /** The label of the button that confirms. */
  confirm: string
  /** The label of the button that declines; 'Cancel' by default. */
  decline?: string | undefined
  /** Red button: the action destroys data. */
  danger?: boolean | undefined
}

export function askForConfirmation({ title, text, confirm, decline, danger = false }: Question): Promise<boolean> {
  return new Promise((resolve) => {
    modals.openConfirmModal({
      title,
      children: text,
      labels: { confirm, cancel: decline ?? i18next.t(($) => $.actions.cancel) },
      // Enter never destroys data by itself.
      confirmProps: danger ? { color: 'red' } : { 'data-autofocus': true },
      cancelProps: danger ? { 'data-autofocus': true } : {},
      onConfirm: () => resolve(true),
      onCancel: () => resolve(false),
      onClose: () => resolve(false),
    })
  })
}

/** Closes every open question; each resolves false. */
export const closeDialogs = (): void => modals.closeAll()
