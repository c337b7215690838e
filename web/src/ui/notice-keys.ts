// Keys of notices: Ctrl/Cmd+Z presses the newest Undo, F8 goes to the newest notice, Escape returns to where the focus was before.
import { notifications, notificationsStore } from '@mantine/notifications'
import { keyLetter } from '../lib/key-letter.ts'

/** As `aria-keyshortcuts` names them; the buttons of notices that undo have this attribute. */
export const UNDO_KEYS = 'Control+Z Meta+Z'

/** What the browser itself undoes. */
const TEXT_FIELDS = 'textarea, input:not([type="checkbox"], [type="radio"], [type="range"], [type="button"])'

/** Had the focus before a notice got it. */
let origin: Element | null = null
/** The notice that has the focus does not close by itself until it loses it. */
let held: { readonly id: string; readonly autoClose: number } | null = null

/** The newest first. A notice that is just leaving is not among them. */
const shown = (): HTMLElement[] =>
  notificationsStore
    .getState()
    .notifications.flatMap(({ id = '' }) => document.getElementById(id) ?? [])
    .reverse()

const noticeAt = (target: EventTarget | null): HTMLElement | undefined =>
  target instanceof Node ? shown().find((notice) => notice.contains(target)) : undefined

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || (target.matches(TEXT_FIELDS) && !isReadOnly(target)))

const isReadOnly = (target: HTMLElement): boolean => target instanceof HTMLInputElement && target.readOnly

function onKey(event: KeyboardEvent): void {
  // Tables that undo by themselves prevent the default.
  if (event.defaultPrevented || event.altKey || event.shiftKey || event.repeat) return
  const isControl = event.ctrlKey || event.metaKey
  const isUndo = isControl && keyLetter(event) === 'z' && !isTyping(event.target)
  const button = isUndo ? newestUndo() : event.key === 'F8' && !isControl ? newestButton() : null
  if (!button) return
  event.preventDefault()
  if (isUndo) button.click()
  else button.focus()
}

const newestUndo = () => shown().flatMap((notice) => notice.querySelector<HTMLElement>('[aria-keyshortcuts]') ?? [])[0]
const newestButton = () => shown()[0]?.querySelector('button')

/** Comes before dialogs, which close by Escape. */
function onEscape(event: KeyboardEvent): void {
  if (event.key !== 'Escape' || noticeAt(event.target) === undefined) return
  event.stopPropagation()
  goBack()
}

/** The buttons of a notice close it, and it would take the focus with it. */
function onClick({ target }: MouseEvent): void {
  const isOnButton = target instanceof Element && target.closest('button') !== null
  if (isOnButton && noticeAt(target)?.contains(document.activeElement)) goBack()
}

function goBack(): void {
  const target = origin?.isConnected ? origin : document.getElementById('content')
  if (target instanceof HTMLElement) target.focus()
}

function onFocusIn({ target, relatedTarget }: FocusEvent): void {
  const id = noticeAt(target)?.id
  if (id === undefined) return
  if (noticeAt(relatedTarget) === undefined) origin = relatedTarget instanceof Element ? relatedTarget : null
  const notice = notificationsStore.getState().notifications.find((one) => one.id === id)
  if (typeof notice?.autoClose !== 'number') return
  held = { id, autoClose: notice.autoClose }
  notifications.update({ ...notice, autoClose: false })
}

function onFocusOut({ target, relatedTarget }: FocusEvent): void {
  const notice = notificationsStore.getState().notifications.find(({ id }) => id === held?.id)
  if (held === null || notice === undefined || noticeAt(target)?.id !== held.id) return
  if (noticeAt(relatedTarget)?.id === held.id) return
  notifications.update({ ...notice, autoClose: held.autoClose })
  held = null
}

/** Called again, it changes nothing. */
export function listenForNoticeKeys(): void {
  document.addEventListener('keydown', onKey)
  window.addEventListener('keydown', onEscape, { capture: true })
  document.addEventListener('click', onClick, { capture: true })
  document.addEventListener('focusin', onFocusIn)
  document.addEventListener('focusout', onFocusOut)
}
