// Short messages in the corner; they close after ten seconds unless told to stay.
import { notifications } from '@mantine/notifications'
import { NOTICE_MS } from '@tributary/contract/limits'
import i18next from 'i18next'

interface NoticeOptions {
  title?: string
  /** Stays until it is closed. */
  persistent?: boolean
}

const closing = (persistent = false) => (persistent ? false : NOTICE_MS)
const closeButton = () => ({ closeButtonProps: { 'aria-label': i18next.t(($) => $.actions.close) } })

export function notifySuccess(message: string, { title, persistent }: NoticeOptions = {}): void {
  notifications.show({
    message,
    ...(title ? { title } : {}),
    color: 'teal',
    autoClose: closing(persistent),
    ...closeButton(),
  })
}

/** Shows an error's message, or what is given. */
export function notifyFailure(error: unknown, { title, persistent }: NoticeOptions = {}): void {
  const message =
    typeof error === 'string' ? error : error instanceof Error ? error.message : i18next.t(($) => $.errors.request)
  notifications.show({
    message,
    ...(title ? { title } : {}),
    color: 'red',
    role: 'alert',
    autoClose: closing(persistent),
    ...closeButton(),
  })
}
