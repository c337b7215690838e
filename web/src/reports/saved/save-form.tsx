// By what name a report is kept, who sees it, and whether it opens by itself: of the one on the screen, or of one that is kept already.
import { Button, Checkbox, TextInput } from '@mantine/core'
import type { SavedReport } from '@tributary/contract/reports/saved'
import { useState } from 'react'
import { http } from '../../data/http.ts'
import { useReportWords } from '../../i18n/labels.ts'
import { notifySuccess } from '../../ui/notify.ts'
import { useFault } from '../../ui/use-fault.ts'
import type { SavedButtonProps } from './saved-button.tsx'
import classes from './saved-panel.module.css'
import { refreshSaved } from './saved-query.ts'

interface SaveFormProps extends Pick<SavedButtonProps, 'report' | 'current'> {
  /** Null keeps what is on the screen. One that is kept stays what it is: the screen may show something else by now. */
  saved: SavedReport | null
  onBack: () => void
}

export function SaveForm({ report, current, saved, onBack }: SaveFormProps) {
  const words = useReportWords()
  const [title, setTitle] = useState(saved?.title ?? '')
  const [isShared, setShared] = useState(saved?.shared ?? false)
  const [isDefault, setDefault] = useState(saved?.is_default ?? false)
  const fault = useFault('title')
  const [isBusy, setBusy] = useState(false)
  const send = () => {
    const body = { report, title, shared: isShared, is_default: isDefault }
    if (saved === null) return http.post('saved_report', { ...body, state: current() })
    return http.put(`saved_report/${saved.id}`, { ...body, state: saved.state, version: saved.version })
  }
  const save = async () => {
    setBusy(true)
    try {
      await send()
      notifySuccess(words.saved.done)
      await refreshSaved()
      onBack()
    } catch (error) {
      fault.tell(error)
      setBusy(false)
      // It may be another by now, or gone.
      if (saved !== null) await refreshSaved()
    }
  }
  const isTakenAway = saved?.shared === true && !isShared
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
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
