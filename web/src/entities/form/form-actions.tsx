// The buttons in the header of a form. On a phone they take one line: what saves, with words, and a button that unfolds the rest.
import { Button } from '@mantine/core'
import { IconDots, IconTrash } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import type { EntityName } from '@tributary/contract/entities/registry'
import { isKept } from '@tributary/contract/entity'
import { type ComponentType, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../data/profile.ts'
import { BarButton } from '../../ui/bar-button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { useIsPhone } from '../../ui/narrow.ts'
import { entityOf } from '../field/field-at.ts'
import { isEverAllowed } from '../field/requirement.ts'
import { HistoryButton } from '../history/history-drawer.tsx'
import type { Row } from '../list/list-query.ts'
import { removeRow } from '../list/row-actions.tsx'
import classes from './form.module.css'
import type { SectionProps } from './form-slots.ts'
import type { EntityForm } from './use-entity-form.ts'

/** Whether the form stays open after it is saved. */
export type After = 'stay' | 'back'

interface FormActionsProps {
  name: EntityName
  entity: EntityForm
  isLocked: boolean
  /** Buttons of the screen. */
  slot: ComponentType<SectionProps> | undefined
  onSubmit: (after: After) => void
}

export function FormActions({ name, entity, isLocked, slot: Slot, onSubmit }: FormActionsProps) {
  const { t } = useTranslation()
  const [isMore, setMore] = useState(false)
  const isPhone = useIsPhone()
  const { row } = entity
  const own = Slot === undefined ? null : <Slot row={row} />
  const history = row === null ? null : <HistoryButton name={name} row={row} />
  if (isLocked)
    return (
      <>
        {own}
        {history}
      </>
    )
  const remove = row === null ? null : <DeleteButton name={name} row={row} />
  if (!isPhone)
    return (
      <>
        {own}
        {history}
        <UnsavedMark entity={entity} />
        {remove}
        <SaveAndBack name={name} entity={entity} onSubmit={onSubmit} />
        <Save entity={entity} onSubmit={onSubmit} />
      </>
    )
  return (
    <>
      <Save entity={entity} onSubmit={onSubmit} />
      <SaveAndBack name={name} entity={entity} onSubmit={onSubmit} />
      {row === null ? null : (
        <BarButton
          label={t(($) => $.actions.more)}
          icon={IconDots}
          isSmall
          variant={isMore ? 'light' : 'default'}
          aria-expanded={isMore}
          aria-controls="form-tools"
          onClick={() => setMore(!isMore)}
        />
      )}
      <div id="form-tools" className={classes.tools} hidden={!isMore}>
        {own}
        {history}
        {remove}
      </div>
    </>
  )
}

type ButtonProps = Pick<FormActionsProps, 'entity' | 'onSubmit'>

function Save({ entity, onSubmit }: ButtonProps) {
  const { t } = useTranslation()
  return (
    <Button loading={entity.form.formState.isSubmitting} onClick={() => onSubmit('stay')}>
      {t(($) => $.actions.save)}
    </Button>
  )
}

function SaveAndBack({ name, entity, onSubmit }: ButtonProps & { name: EntityName }) {
  const { t } = useTranslation()
  if (entityOf(name).route === null) return null
  return (
    <Button variant="default" disabled={entity.form.formState.isSubmitting} onClick={() => onSubmit('back')}>
      {t(($) => $.actions.saveAndBack)}
    </Button>
  )
}

/** Beside the buttons; on a phone it stands below the title, where it takes no line of its own. */
export function UnsavedMark({ entity }: { entity: EntityForm }) {
  const { t } = useTranslation()
  if (!entity.form.formState.isDirty) return null
  return (
    <span className={classes.unsaved} role="status">
      {t(($) => $.engine.unsaved)}
    </span>
  )
}

function DeleteButton({ name, row }: { name: EntityName; row: Row }) {
  const { t } = useTranslation()
  const can = useCan()
  const navigate = useNavigate()
  const remove = useMemo(() => removeRow(name), [name])
  const entity = entityOf(name)
  const { access, route } = entity
  if (!isEverAllowed(access.remove) || !can(access.remove) || route === null || isKept(entity, row)) return null
  const label = t(($) => $.actions.delete)
  return (
    <IconButton
      label={label}
      icon={IconTrash}
      size={30}
      variant="default"
      onClick={() =>
        void remove(row).then((isGone) => {
          if (isGone) void navigate({ to: route, ignoreBlocker: true })
        })
      }
    />
  )
}
