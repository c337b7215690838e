// Short messages in the corner; they close after ten seconds unless told to stay.
import type { NotificationData } from '@mantine/notifications'
import { NOTICE_MS } from '@tributary/contract/limits'
import i18next from 'i18next'
import { tellFailure } from '../lib/form-errors.ts'
import { openOverlays } from './overlay-host.ts'

interface NoticeOptions {
  title?: string | undefined
  /** Stays until it is closed. */
  persistent?: boolean | undefined
}

export function notifySuccess(message: string, options: NoticeOptions = {}): void {
  void show({ message, color: 'teal' }, options)
}

/** Shows what an error says, or what is given. */
export function notifyFailure(error: unknown, options: NoticeOptions = {}): void {
  const message =
    typeof error === 'string' ? error : error instanceof Error ? tellFailure(error) : i18next.t(($) => $.errors.request)
  void show({ message, color: 'red', role: 'alert' }, options)
}

async function show(notice: NotificationData, { title, persistent = false }: NoticeOptions): Promise<void> {
  const [{ notifications }] = await Promise.all([import('@mantine/notifications'), openOverlays()])
  notifications.show({
    ...notice,
    ...(title ? { title } : {}),
    autoClose: persistent ? false : NOTICE_MS,
    closeButtonProps: { 'aria-label': i18next.t(($) => $.actions.close) },
  })
}
