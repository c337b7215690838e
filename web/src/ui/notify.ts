// Notifications in the corner; they close after ten seconds unless they are persistent.
import { type NotificationData, notifications } from '@mantine/notifications'
import { NOTICE_MS } from '@tributary/contract/limits'
import i18next from 'i18next'
import { useState } from 'react'
import { failureText, fieldErrors } from '../lib/form-errors.ts'

// What the server says of the one field of a small form stands under the field; what it says of anything else, in the corner.
interface Fault {
  readonly text: string | undefined
  tell(error: unknown): void
  clear(): void
}

export function useFieldError(field: string): Fault {
  const [text, setText] = useState<string>()
  return {
    text,
    tell(error) {
      const said = fieldErrors(error)[field]
      setText(said)
      if (said === undefined) notifyFailure(error)
    },
    clear: () => setText(undefined),
  }
}

interface NoticeOptions {
  title?: string | undefined
  /** Stays until it is closed. */
  persistent?: boolean | undefined
}

export function notifySuccess(message: string, options: NoticeOptions = {}): void {
  show({ message, color: 'teal' }, options)
}

/** Shows what an error says, or what is given. */
export function notifyFailure(error: unknown, options: NoticeOptions = {}): void {
  const message =
    typeof error === 'string' ? error : error instanceof Error ? failureText(error) : i18next.t(($) => $.errors.request)
  show({ message, color: 'red', role: 'alert' }, options)
}

function show(notice: NotificationData, { title, persistent = false }: NoticeOptions): void {
  notifications.show({
    ...notice,
    ...(title ? { title } : {}),
    autoClose: persistent ? false : NOTICE_MS,
    closeButtonProps: { 'aria-label': i18next.t(($) => $.actions.close) },
  })
}
