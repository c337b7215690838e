// The name of a view, who sees it, and whether the list opens with it.
import { Button, Checkbox, Modal, TextInput } from '@mantine/core'
import type { EntityName } from '@tributary/contract/entities/registry'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { notifySuccess } from '../../ui/notify.ts'
import { useFault } from '../../ui/use-fault.ts'
import { useLast } from '../../ui/use-last.ts'
import classes from '../form/form.module.css'
import { keepView, type SavedView } from './saved-views.ts'
import type { ViewState } from './view-state.ts'

interface ViewModalProps {
  name: EntityName
  /** Null: the modal is closed. A new view is made of `state`. */
  editing: SavedView | 'new' | null
  state: ViewState
  onSaved: (id: number) => void
  onClose: () => void
}

const TITLE_MAX = 100

export function ViewModal({ editing, onClose, ...form }: ViewModalProps) {
  const { t } = useTranslation()
  const last = useLast(editing)
  const view = last === 'new' ? null : last
  return (
    <Modal
      opened={editing !== null}
      onClose={onClose}
      title={view === null ? t(($) => $.lists.view) : t(($) => $.lists.editView, { title: view.title })}
      closeButtonProps={{ 'aria-label': t(($) => $.actions.close) }}
    >
      <ViewForm {...form} view={view} onClose={onClose} />
    </Modal>
  )
}

function ViewForm({
  name,
  view,
  state,
  onSaved,
  onClose,
}: Omit<ViewModalProps, 'editing'> & { view: SavedView | null }) {
  const { t } = useTranslation()
  const [title, setTitle] = useState(view?.title ?? '')
  const [shared, setShared] = useState(view?.shared ?? false)
  const [isDefault, setDefault] = useState(view?.is_default ?? false)
  const fault = useFault('title')
  const [isSaving, setSaving] = useState(false)

  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (isSaving || title.trim() === '') return
    setSaving(true)
    const body = { title: title.trim(), shared, is_default: isDefault }
    try {
      onSaved(await keepView(name, view?.id ?? null, view === null ? { ...body, state } : body))
      notifySuccess(t(($) => $.lists.viewSaved))
      onClose()
    } catch (error) {
      fault.tell(error)
      setSaving(false)
    }
  }
  return (
    <form onSubmit={(event) => void save(event)}>
      <TextInput
        data-autofocus
        label={t(($) => $.lists.viewName)}
        maxLength={TITLE_MAX}
        value={title}
        error={fault.text}
        onChange={(event) => {
          setTitle(event.currentTarget.value)
          fault.clear()
        }}
      />
      <Checkbox
        mt="sm"
        label={t(($) => $.lists.viewShared)}
        checked={shared}
        onChange={(event) => setShared(event.currentTarget.checked)}
      />
      <Checkbox
        mt="xs"
        label={t(($) => $.lists.viewDefault)}
        checked={isDefault}
        onChange={(event) => setDefault(event.currentTarget.checked)}
      />
      <div className={classes.foot}>
        <Button variant="default" onClick={onClose}>
          {t(($) => $.actions.cancel)}
        </Button>
        <Button type="submit" loading={isSaving} disabled={title.trim() === ''}>
          {t(($) => $.actions.save)}
        </Button>
      </div>
    </form>
  )
}
