// The menu of saved views: opens, saves, changes and deletes them.
import { Checkbox, Menu, Modal, TextInput } from '@mantine/core'
import { IconBookmark } from '@tabler/icons-react'
import type { EntityName } from '@tributary/contract/entities/registry'
import { type FormEvent, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useProfile } from '../../data/profile.ts'
import { BarButton } from '../../ui/bar-button.tsx'
import { askForConfirmation } from '../../ui/confirm.ts'
import { ModalActions } from '../../ui/modal-actions.tsx'
import { notifyReversible } from '../../ui/notice-action.tsx'
import { notifyFailure, notifySuccess, useFieldError } from '../../ui/notify.ts'
import { useLastValue } from '../../ui/use-last-value.ts'
import { readDefaultView, writeDefaultView } from './list-storage.ts'
import { deleteView, type SavedView, saveView, useViews, type ViewState } from './saved-views.ts'
import type { ColumnControl } from './use-columns.ts'
import type { ListControl } from './use-list-state.ts'
import classes from './view-menu.module.css'

interface ViewModalProps {
  name: EntityName
  /** Null: the modal is closed. 'new' creates a view from `state`. */
  editing: SavedView | 'new' | null
  state: ViewState
  onSaved: (id: number) => void
  onClose: () => void
}

const TITLE_MAX = 100

function ViewModal({ editing, onClose, ...form }: ViewModalProps) {
  const { t } = useTranslation()
  const last = useLastValue(editing)
  const view = last === 'new' ? null : last
  return (
    <Modal
      opened={editing !== null}
      onClose={onClose}
      title={view === null ? t(($) => $.lists.view) : t(($) => $.lists.editView, { title: view.title })}
    >
      <ViewForm {...form} view={view} onClose={onClose} />
    </Modal>
  )
}

/** The form of a view: name, sharing, default. */
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
  const fault = useFieldError('title')
  const [isSaving, setSaving] = useState(false)

  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (isSaving || title.trim() === '') return
    setSaving(true)
    const body = { title: title.trim(), shared, is_default: isDefault }
    try {
      onSaved(await saveView(name, view?.id ?? null, view === null ? { ...body, state } : body))
      notifySuccess(t(($) => $.lists.viewSaved))
      onClose()
    } catch (error) {
      fault.show(error)
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
      <ModalActions
        submit={t(($) => $.actions.save)}
        onCancel={onClose}
        isBusy={isSaving}
        isReady={title.trim() !== ''}
      />
    </form>
  )
}

interface ViewMenuProps {
  name: EntityName
  list: ListControl
  columns: ColumnControl
  isSmall: boolean
}

/** A default view set in another browser is stored here for the next opening; it applies now if the list is untouched. */
function useDefaultView(
  name: EntityName,
  views: readonly SavedView[] | undefined,
  list: ListControl,
  me: number,
): void {
  const chosen = views?.find((view) => view.is_default && view.user.id === me)?.state ?? null
  const isKnown = views !== undefined
  const { isAsOpened, show } = list
  // The server's answer arrives after the list is shown.
  useEffect(() => {
    if (!isKnown) return
    const { conditions = [], order = [], limit = 0 } = chosen ?? {}
    const next = chosen === null ? null : { conditions, order, limit }
    if (JSON.stringify(readDefaultView(name)) === JSON.stringify(next)) return
    writeDefaultView(name, next)
    if (next !== null && isAsOpened) show(next)
  }, [name, isKnown, chosen, isAsOpened, show])
}

/** The menu of saved views of a list. */
export function ViewMenu({ name, list, columns, isSmall }: ViewMenuProps) {
  const { t } = useTranslation()
  const me = useProfile().id
  const views = useViews(name)
  const [activeId, setActive] = useState<number | null>(null)
  const [editing, setEditing] = useState<SavedView | 'new' | null>(null)
  useDefaultView(name, views, list, me)
  const own = (views ?? []).filter((view) => view.user.id === me)
  const shared = (views ?? []).filter((view) => view.user.id !== me)
  const active = own.find(({ id }) => id === activeId)
  const { conditions, order, limit } = list.query
  const current: ViewState = { conditions, order, limit, columns: columns.stored }

  const open = (view: SavedView) => {
    if (view.state === null) return
    if (view.state.columns !== undefined) columns.restore(view.state.columns)
    list.show(view.state)
    setActive(view.id)
  }
  const run = async (work: () => Promise<unknown>, done: string, undo?: () => unknown): Promise<void> => {
    try {
      await work()
      if (undo === undefined) notifySuccess(done)
      else notifyReversible(done, undo)
    } catch (error) {
      notifyFailure(error)
    }
  }
  const remove = async ({ id, title, state, shared, is_default }: SavedView): Promise<void> => {
    const question = t(($) => $.lists.deleteView, { title })
    if (!(await askForConfirmation({ title: question, confirm: t(($) => $.actions.delete), danger: true }))) return
    const bringBack = () => saveView(name, null, { title, shared, is_default, ...(state && { state }) })
    await run(
      () => deleteView(name, id),
      t(($) => $.lists.viewDeleted),
      () =>
        run(
          bringBack,
          t(($) => $.history.undone),
        ),
    )
  }
  return (
    <>
      <Menu position="bottom-end" withinPortal width={300}>
        <Menu.Target>
          <BarButton label={t(($) => $.lists.views)} icon={IconBookmark} isSmall={isSmall} />
        </Menu.Target>
        <Menu.Dropdown className={classes.menu ?? ''}>
          {views?.length === 0 ? <p className={classes.none}>{t(($) => $.lists.noViews)}</p> : null}
          <ViewItems label={t(($) => $.lists.ownViews)} views={own} activeId={activeId} onOpen={open} />
          <ViewItems label={t(($) => $.lists.sharedViews)} views={shared} activeId={activeId} onOpen={open} isForeign />
          <Menu.Divider />
          <Menu.Item onClick={() => setEditing('new')}>{t(($) => $.lists.saveView)}</Menu.Item>
          {active === undefined ? null : (
            <>
              <Menu.Item
                onClick={() =>
                  void run(
                    () => saveView(name, active.id, { state: current }),
                    t(($) => $.lists.viewSaved),
                  )
                }
              >
                {t(($) => $.lists.updateView, { title: active.title })}
              </Menu.Item>
              <Menu.Item onClick={() => setEditing(active)}>
                {t(($) => $.lists.editView, { title: active.title })}
              </Menu.Item>
              <Menu.Item color="red" onClick={() => void remove(active)}>
                {t(($) => $.actions.delete)}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      <ViewModal name={name} editing={editing} state={current} onSaved={setActive} onClose={() => setEditing(null)} />
    </>
  )
}

interface ViewItemsProps {
  label: string
  views: readonly SavedView[]
  activeId: number | null
  onOpen: (view: SavedView) => void
  isForeign?: boolean
}

function ViewItems({ label, views, activeId, onOpen, isForeign = false }: ViewItemsProps) {
  const { t } = useTranslation()
  if (views.length === 0) return null
  const noteOf = ({ user, shared, is_default }: SavedView): string =>
    isForeign
      ? t(($) => $.lists.byOwner, { name: user.title })
      : [is_default ? t(($) => $.lists.isDefault) : '', shared ? t(($) => $.lists.isShared) : '']
          .filter(Boolean)
          .join(', ')
  return (
    <>
      <Menu.Label>{label}</Menu.Label>
      {views.map((view) => (
        <Menu.Item
          key={view.id}
          disabled={view.state === null}
          aria-current={view.id === activeId}
          rightSection={<span className={classes.note}>{noteOf(view)}</span>}
          onClick={() => onOpen(view)}
        >
          {view.title}
        </Menu.Item>
      ))}
    </>
  )
}
