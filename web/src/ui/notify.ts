// Notifications in the corner; they close after NOTICE_MS unless they are persistent.
import { type NotificationData, notifications } from '@mantine/notifications'
import { NOTICE_MS } from '@tributary/contract/limits'
import i18next from 'i18next'
import { type ReactNode, useState } from 'react'
import { failureText, fieldErrors } from '../lib/form-errors.ts'

interface FieldError {
  readonly text: string | undefined
  show(error: unknown): void
  clear(): void
}

/** Shows a server error about `field` under that field of a small form, and any other error as a notification. */
export function useFieldError(field: string): FieldError {
  const [text, setText] = useState<string>()
  return {
    text,
    show(error) {
      const message = fieldErrors(error)[field]
      setText(message)
      if (message === undefined) notifyFailure(error)
    },
    clear: () => setText(undefined),
  }
}

interface NoticeOptions {
  title?: string | undefined
  /** The notification stays until the user closes it. */
  persistent?: boolean | undefined
}

/** Returns the notification's id. */
export function notifySuccess(message: ReactNode, options: NoticeOptions = {}): string {
  return show({ message, color: 'teal' }, options)
}

/** Shows the message of an error, or the given text. Returns the notification's id. */
export function notifyFailure(error: unknown, options: NoticeOptions = {}): string {
  const message =
    typeof error === 'string' ? error : error instanceof Error ? failureText(error) : i18next.t(($) => $.errors.request)
  return show({ message, color: 'red', role: 'alert' }, options)
}

function show(notice: NotificationData, { title, persistent = false }: NoticeOptions): string {
  // Without its keys a notice is reached by Tab.
  void import('./notice-keys.ts').then(({ listenForNoticeKeys }) => listenForNoticeKeys()).catch(() => undefined)
  return notifications.show({
    ...notice,
    ...(title ? { title } : {}),
    autoClose: persistent ? false : NOTICE_MS,
  })
}
