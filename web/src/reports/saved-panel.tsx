// Saved reports by name: open one, keep what is on the screen, share it, have it mailed.
import { ActionIcon, Button, Checkbox, TextInput, Tooltip } from '@mantine/core'
import { IconDeviceFloppy, IconMail, IconMailFilled, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { SavedReport } from '@tributary/contract/reports/saved'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { http } from '../data/http.ts'
import { useReportWords } from '../i18n/report-words.ts'
import { fieldFaults } from '../lib/form-errors.ts'
import { confirmAct } from '../ui/confirm.ts'
import { FailedState } from '../ui/failed-state.tsx'
import { notifyFailure, notifySuccess } from '../ui/notify.ts'
import { MailForm } from './mail-form.tsx'
import type { SavedButtonProps } from './saved-button.tsx'
import classes from './saved-panel.module.css'
import { refreshSaved, savedQuery } from './saved-query.ts'

interface SavedPanelProps extends SavedButtonProps {
  onClose: () => void
}

type View = { readonly name: 'list' } | { readonly name: 'save' } | { readonly name: 'mail'; readonly id: number }

export function SavedPanel(props: SavedPanelProps) {
  const { data, error, refetch } = useQuery(savedQuery(props.report))
  const [view, setView] = useState<View>({ name: 'list' })
  if (error) return <FailedState error={error} onRetry={() => void refetch()} />
  const mailed = view.name === 'mail' ? data?.find(({ id }) => id === view.id) : undefined
  const back = () => setView({ name: 'list' })
  return (
    <div className={classes.panel}>
      {mailed ? <MailForm saved={mailed} onBack={back} /> : null}
      {view.name === 'save' ? <SaveForm {...props} onBack={back} /> : null}
      {view.name === 'list' ? <SavedList {...props} items={data ?? []} onView={setView} /> : null}
    </div>
  )
}

interface SavedListProps extends SavedPanelProps {
  items: readonly SavedReport[]
  onView: (view: View) => void
}

function SavedList({ items, onView, ...props }: SavedListProps) {
  const words = useReportWords()
  return (
    <>
      {items.length === 0 ? <p className={classes.note}>{words.saved.none}</p> : null}
      <ul className={classes.list}>
        {items.map((saved) => (
          <SavedLine key={saved.id} saved={saved} onMail={() => onView({ name: 'mail', id: saved.id })} {...props} />
        ))}
      </ul>
      <Button variant="light" size="compact-sm" onClick={() => onView({ name: 'save' })}>
        {words.saved.save}
      </Button>
    </>
  )
}

interface SavedLineProps extends SavedPanelProps {
  saved: SavedReport
  onMail: () => void
}

function SavedLine({ saved, current, onOpen, onClose, onMail }: SavedLineProps) {
  const { t } = useTranslation('reports')
  const words = useReportWords()
  const { title: name } = saved
  const isMailed = saved.schedule !== null && saved.schedule.ended_at === null
  const act = async (work: () => Promise<unknown>) => {
    try {
      await work()
      notifySuccess(words.saved.done)
    } catch (error) {
      notifyFailure(error)
    }
    await refreshSaved()
  }
  const update = () =>
    act(() => {
      const { report, title, shared, is_default, version } = saved
      return http.put(`saved_report/${saved.id}`, { report, title, shared, is_default, version, state: current() })
    })
  const remove = async () => {
    const isSure = await confirmAct({
      title: t(($) => $.saved.deleteAsk, { name }),
      text: words.saved.deleteText,
      confirm: words.formulas.delete,
      danger: true,
    })
    if (isSure) await act(() => http.delete(`saved_report/${saved.id}`))
  }
  const marks = [
    saved.is_default ? words.saved.default : null,
    saved.shared && saved.is_own ? words.saved.sharedMark : null,
    !saved.is_own && saved.owner.title !== '' ? t(($) => $.saved.byOwner, { name: saved.owner.title }) : null,
  ].filter((mark) => mark !== null)
  const mailLabel = t(($) => $.mail.title, { name })
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
      <Tooltip label={mailLabel}>
        <ActionIcon size={28} aria-label={mailLabel} onClick={onMail}>
          {isMailed ? <IconMailFilled size={16} aria-hidden /> : <IconMail size={16} aria-hidden />}
        </ActionIcon>
      </Tooltip>
      {saved.is_own ? (
        <>
          <Tooltip label={t(($) => $.saved.update, { name })}>
            <ActionIcon size={28} aria-label={t(($) => $.saved.update, { name })} onClick={() => void update()}>
              <IconDeviceFloppy size={16} aria-hidden />
            </ActionIcon>
          </Tooltip>
          <Tooltip label={t(($) => $.saved.delete, { name })}>
            <ActionIcon size={28} aria-label={t(($) => $.saved.delete, { name })} onClick={() => void remove()}>
              <IconTrash size={16} aria-hidden />
            </ActionIcon>
          </Tooltip>
        </>
      ) : null}
    </li>
  )
}

function SaveForm({ report, current, onBack }: SavedPanelProps & { onBack: () => void }) {
  const words = useReportWords()
  const [title, setTitle] = useState('')
  const [isShared, setShared] = useState(false)
  const [isDefault, setDefault] = useState(false)
  const [fault, setFault] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      await http.post('saved_report', { report, title, shared: isShared, is_default: isDefault, state: current() })
      notifySuccess(words.saved.done)
      await refreshSaved()
      onBack()
    } catch (error) {
      const { title: said } = fieldFaults(error)
      setFault(said)
      if (said === undefined) notifyFailure(error)
      setBusy(false)
    }
  }
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <TextInput
        data-autofocus
        label={words.saved.name}
        required
        maxLength={255}
        error={fault}
        value={title}
        onChange={(event) => {
          setTitle(event.currentTarget.value)
          setFault(undefined)
        }}
      />
      <Checkbox
        size="xs"
        label={words.saved.shared}
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
