// Saved reports by name: opens, saves, renames, shares and mails them.

import { Button, Checkbox, TextInput } from '@mantine/core'
import { IconDeviceFloppy, IconMail, IconMailFilled, IconPencil, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { SavedReport } from '@tributary/contract/reports/saved'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { useReportWords } from '../../i18n/labels.ts'
import { askForConfirmation } from '../../ui/confirm.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { notifyReversible } from '../../ui/notice-action.tsx'
import { notifyFailure, notifySuccess, useFieldError } from '../../ui/notify.ts'
import { FailedState } from '../../ui/states.tsx'
import { onSubmit } from '../../ui/submit.ts'
import { useBusy } from '../../ui/use-busy.ts'
import { MailForm } from './mail-form.tsx'
import type { SavedButtonProps } from './saved-button.tsx'
import classes from './saved-panel.module.css'
import { refreshSaved, savedQuery } from './saved-query.ts'

interface SaveFormProps extends Pick<SavedButtonProps, 'report' | 'current'> {
  /** Null saves the shown state. Editing must not change the stored state: the screen may show another one by now. */
  saved: SavedReport | null
  onBack: () => void
}

/** The form of a saved report: name, sharing, default. It saves the shown state, or edits an existing saved report. */
function SaveForm({ report, current, saved, onBack }: SaveFormProps) {
  const words = useReportWords()
  const [title, setTitle] = useState(saved?.title ?? '')
  const [isShared, setShared] = useState(saved?.shared ?? false)
  const [isDefault, setDefault] = useState(saved?.is_default ?? false)
  const fault = useFieldError('title')
  const { isBusy, run } = useBusy()
  const send = () => {
    const body = { report, title, shared: isShared, is_default: isDefault }
    if (saved === null) return http.post('saved_report', { ...body, state: current() })
    return http.put(`saved_report/${saved.id}`, { ...body, state: saved.state, version: saved.version })
  }
  const showFailure = async (error: unknown) => {
    fault.show(error)
    // Another user may have changed or deleted it.
    if (saved !== null) await refreshSaved()
  }
  const save = () =>
    run(async () => {
      await send()
      notifySuccess(words.saved.done)
      await refreshSaved()
      onBack()
    }, showFailure)
  const isTakenAway = saved?.shared === true && !isShared
  return (
    <form className={classes.form} onSubmit={onSubmit(save)}>
      <TextInput
        autoFocus
        label={words.saved.name}
        required
        maxLength={255}
        error={fault.text}
        value={title}
        onChange={(event) => {
          setTitle(event.currentTarget.value)
          fault.clear()
        }}
      />
      <Checkbox
        size="xs"
        label={words.saved.shared}
        description={isTakenAway ? words.saved.takenAway : null}
        checked={isShared}
        onChange={(event) => setShared(event.currentTarget.checked)}
      />
      <Checkbox
        size="xs"
        label={words.saved.isDefault}
        checked={isDefault}
        onChange={(event) => setDefault(event.currentTarget.checked)}
      />
      <div className={classes.buttons}>
        <Button variant="default" size="compact-sm" onClick={onBack}>
          {words.saved.cancel}
        </Button>
        <Button type="submit" size="compact-sm" loading={isBusy} disabled={title.trim() === ''}>
          {words.saved.create}
        </Button>
      </div>
    </form>
  )
}

interface SavedPanelProps extends SavedButtonProps {
  onClose: () => void
}

/** The form shown instead of the list; id null is the form of a new saved report. */
interface View {
  readonly name: 'save' | 'mail'
  readonly id: number | null
}
const NEW: View = { name: 'save', id: null }

export function SavedPanel(props: SavedPanelProps) {
  const { data, error, refetch } = useQuery(savedQuery(props.report))
  const [view, setView] = useState<View | null>(null)
  const [left, setLeft] = useState<View | null>(null)
  if (error) return <FailedState error={error} onRetry={() => void refetch()} />
  const saved = data?.find(({ id }) => id === view?.id)
  // Another user may have deleted the report that was to be edited or mailed.
  const isForm = view !== null && (saved !== undefined || view.id === null)
  const back = () => {
    setLeft(view)
    setView(null)
  }
  return (
    <div className={classes.panel}>
      {isForm && view.name === 'save' ? <SaveForm {...props} saved={saved ?? null} onBack={back} /> : null}
      {isForm && view.name === 'mail' && saved ? <MailForm saved={saved} onBack={back} /> : null}
      {isForm ? null : <SavedList {...props} items={data} left={left} onView={setView} />}
    </div>
  )
}

interface SavedListProps extends SavedPanelProps {
  /** Undefined until they are loaded. */
  items: readonly SavedReport[] | undefined
  /** The form that was just closed: focus returns to the button that opened it. */
  left: View | null
  onView: (view: View) => void
}

function SavedList({ items, ...props }: SavedListProps) {
  const words = useReportWords()
  return (
    <>
      {items?.length === 0 ? <p className={classes.note}>{words.saved.none}</p> : null}
      <ul className={classes.list}>
        {items?.map((saved) => (
          <SavedLine key={saved.id} saved={saved} {...props} />
        ))}
      </ul>
      <Button variant="light" size="compact-sm" autoFocus={props.left?.id === null} onClick={() => props.onView(NEW)}>
        {words.saved.save}
      </Button>
    </>
  )
}

interface SavedLineProps extends Omit<SavedListProps, 'items'> {
  saved: SavedReport
}

function SavedLine({ saved, left, current, onOpen, onClose, onView }: SavedLineProps) {
  const { t } = useTranslation('reports')
  const words = useReportWords()
  const { id, title: name } = saved
  const isMailed = saved.schedule !== null && saved.schedule.ended_at === null
  const act = async (work: () => Promise<unknown>, notify: () => void = () => notifySuccess(words.saved.done)) => {
    try {
      await work()
      notify()
    } catch (error) {
      notifyFailure(error)
    }
    await refreshSaved()
  }
  const update = () =>
    act(() => {
      const { report, title, shared, is_default, version } = saved
      return http.put(`saved_report/${id}`, { report, title, shared, is_default, version, state: current() })
    })
  const remove = async () => {
    const isSure = await askForConfirmation({
      title: t(($) => $.saved.deleteAsk, { name }),
      text: words.saved.deleteText,
      confirm: words.formulas.delete,
      danger: true,
    })
    if (!isSure) return
    const { report, title, shared, is_default, state } = saved
    const bringBack = () => act(() => http.post('saved_report', { report, title, shared, is_default, state }))
    await act(
      () => http.delete(`saved_report/${id}`),
      () => notifyReversible(words.saved.deleted, bringBack),
    )
  }
  const marks = [
    saved.is_default ? words.saved.default : null,
    saved.shared && saved.is_own ? words.saved.sharedMark : null,
    !saved.is_own && saved.owner.title !== '' ? t(($) => $.saved.byOwner, { name: saved.owner.title }) : null,
  ].filter((mark) => mark !== null)
  const isLeft = (form: View['name']): boolean => left?.id === id && left.name === form
  return (
    <li className={classes.line}>
      <button
        type="button"
        className={classes.open}
        aria-label={t(($) => $.saved.open, { name })}
        onClick={() => {
          onOpen(saved)
          onClose()
        }}
      >
        <span className={classes.name}>{name}</span>
        {marks.length > 0 ? <span className={classes.marks}>{marks.join(' · ')}</span> : null}
      </button>
      <IconButton
        size={28}
        label={t(($) => $.mail.title, { name })}
        icon={isMailed ? IconMailFilled : IconMail}
        autoFocus={isLeft('mail')}
        onClick={() => onView({ name: 'mail', id })}
      />
      {saved.is_own ? (
        <>
          <IconButton
            size={28}
            label={t(($) => $.saved.update, { name })}
            icon={IconDeviceFloppy}
            onClick={() => void update()}
          />
          <IconButton
            size={28}
            label={t(($) => $.saved.edit, { name })}
            icon={IconPencil}
            autoFocus={isLeft('save')}
            onClick={() => onView({ name: 'save', id })}
          />
          <IconButton
            size={28}
            label={t(($) => $.saved.delete, { name })}
            icon={IconTrash}
            onClick={() => void remove()}
          />
        </>
      ) : null}
    </li>
  )
}
