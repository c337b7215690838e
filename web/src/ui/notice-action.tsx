// Notifications with a button.
import { Button, Group } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import i18next from 'i18next'
import { listenForNoticeKeys, UNDO_KEYS } from './notice-keys.ts'
import { notifySuccess } from './notify.ts'

interface NoticeAction {
  readonly label: string
  readonly run: () => unknown
  /** Keys that press the button, as `aria-keyshortcuts` names them. */
  readonly keys?: string
}

/** The button closes the notification. */
export function notifyAction(
  message: string,
  { label, run, keys }: NoticeAction,
  options: Parameters<typeof notifySuccess>[1] = {},
): void {
  listenForNoticeKeys()
  const act = () => {
    notifications.hide(id)
    void run()
  }
  const id = notifySuccess(
    <Group component="span" justify="space-between" wrap="nowrap" gap="sm">
      <span>{message}</span>
      <Group component="span" wrap="nowrap" gap="xs" flex="none">
        <Button variant="light" size="compact-sm" aria-keyshortcuts={keys} onClick={act}>
          {label}
        </Button>
        <kbd aria-hidden>{keys === undefined ? 'F8' : 'Ctrl Z'}</kbd>
      </Group>
    </Group>,
    options,
  )
}

/** Reports what was done, with a button that undoes it. */
export function notifyReversible(message: string, undo: () => unknown): void {
  notifyAction(message, { label: i18next.t(($) => $.history.undo), run: undo, keys: UNDO_KEYS })
}
