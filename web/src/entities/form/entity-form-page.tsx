// The page of a form: its header with Save, its sections as tabs, and the guard against losing unsaved changes.

import { Link, useBlocker, useNavigate, useRouter } from '@tanstack/react-router'
import type { EntityName } from '@tributary/contract/entities/registry'
import { useRef } from 'react'
import { FormProvider } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../data/profile.ts'
import { useLabels } from '../../i18n/labels.ts'
import { askForConfirmation } from '../../ui/confirm.ts'
import { useIsPhone } from '../../ui/narrow.ts'
import { Page } from '../../ui/page.tsx'
import { entityOf } from '../field/field-at.ts'
import { ActiveBadge } from '../field/field-value.tsx'
import { isEverAllowed } from '../field/requirement.ts'
import { editPath, recordPath } from '../field/row-link.ts'
import { rowTitle } from '../field/row-text.ts'
import type { Row } from '../list/list-query.ts'
import type { Search } from '../list/list-state.ts'
import { listAddress } from '../list/list-storage.ts'
import classes from './form.module.css'
import { type After, FormActions, UnsavedMark } from './form-actions.tsx'
import { focusCreated, focusInvalidField, useFirstField, useSaveKey } from './form-keyboard.ts'
import type { FormRow } from './form-row.ts'
import { FormSections, useSection } from './form-sections.tsx'
import { type FormSlots, FormSlotsContext, RejectionContext } from './form-slots.ts'
import { PresenceBanner } from './presence-banner.tsx'
import { RecordTabs } from './record-tabs.tsx'
import { StaleModal } from './stale-modal.tsx'
import { type EntityForm, useEntityForm } from './use-entity-form.ts'

interface EntityFormPageProps {
  name: EntityName
  initial: Row | null
  slots: FormSlots
  /** Initial values of a new row from the address. */
  given?: FormRow
}

/** The page of a loaded row, or of a new one (`initial` null). */
export function EntityFormPage({ name, initial, slots, given }: EntityFormPageProps) {
  const can = useCan()
  const labels = useLabels()
  const entity = useEntityForm(name, initial, slots, given)
  const { form, row } = entity
  const { access } = entityOf(name)
  const needed = row === null ? access.create : access.edit
  const isLocked = !(isEverAllowed(needed) && can(needed))
  useFirstField(initial === null)
  const submit = useSubmit(name, entity, isLocked, slots.opensOverview ? recordPath : editPath)
  return (
    <FormSlotsContext value={slots}>
      <FormProvider {...form}>
        <Page
          title={row === null ? labels.create(name) : (slots.title?.(row) ?? rowTitle(name, row))}
          subtitle={<BackLink name={name} entity={entity} />}
          mark={row?.active === false ? <ActiveBadge isActive={false} labels={labels} /> : null}
          actions={
            <FormActions name={name} entity={entity} isLocked={isLocked} slot={slots.actions} onSubmit={submit} />
          }
        >
          {row === null ? null : <RecordTabs name={name} id={row.id} current="edit" />}
          <PresenceBanner name={name} entity={entity} isLocked={isLocked} />
          <RejectionContext value={entity.rejection}>
            <FormBody
              name={name}
              row={row}
              isLocked={isLocked}
              isNoted={isEverAllowed(needed)}
              onSubmit={() => submit('stay')}
            />
          </RejectionContext>
        </Page>
      </FormProvider>
      {entity.stale === null ? null : <StaleModal name={name} entity={entity} current={entity.stale} />}
    </FormSlotsContext>
  )
}

function BackLink({ name, entity }: { name: EntityName; entity: EntityForm }) {
  const labels = useLabels()
  const isPhone = useIsPhone()
  const router = useRouter()
  const { route } = entityOf(name)
  const about = isPhone && entity.form.formState.isDirty ? <UnsavedMark entity={entity} /> : labels.subtitle(name)
  if (route === null) return about
  return (
    <>
      <Link
        to={route}
        className={classes.back ?? ''}
        onClick={(event) => {
          // Returns to the list with its page and filters.
          if (event.metaKey || event.ctrlKey || event.shiftKey) return
          event.preventDefault()
          router.history.push(listAddress(name) ?? route)
        }}
      >
        {labels.title(name)}
      </Link>
      {' · '}
      {about}
    </>
  )
}

/** Validates and saves. Then it shows the first error, and focuses it unless the user has meanwhile moved the focus. */
function useSubmit(
  name: EntityName,
  { form, row, save }: EntityForm,
  isLocked: boolean,
  pathOfNew: typeof editPath,
): (after: After) => void {
  const { sections, show } = useSection(name)
  const isLeaving = useRef(false)
  // A key or a second click may submit again before the button is rendered as busy.
  const isSaving = useRef(false)
  const navigate = useNavigate()
  const router = useRouter()
  const { isDirty } = form.formState
  useGuard(isDirty, isLeaving)

  const reveal = (wrong: readonly string[], from: Element | null) => {
    const section = sections.find(({ fields }) => fields.some((field) => wrong.includes(field)))
    if (section) show(section.name)
    focusInvalidField(from)
  }
  const go = (saved: Row, after: After) => {
    const { route } = entityOf(name)
    const created = pathOfNew(name, saved.id)
    isLeaving.current = true
    if (after === 'back' && route !== null) router.history.push(listAddress(name) ?? route)
    else if (row === null && created !== null)
      void navigate({ to: created, search: ({ tab }: Search) => ({ tab }), replace: true }).then(() => focusCreated())
    else isLeaving.current = false
  }
  const send = (after: After) => {
    const from = document.activeElement
    return form.handleSubmit(
      async (values) => {
        const outcome = await save(values)
        if (outcome.saved !== null) go(outcome.saved, after)
        else reveal(outcome.wrong, from)
      },
      (errors) => reveal(Object.keys(errors), from),
    )()
  }
  const submit = (after: After) => {
    if (isSaving.current) return
    isSaving.current = true
    void send(after).finally(() => {
      isSaving.current = false
    })
  }
  useSaveKey(() => {
    if (!isLocked) submit('stay')
  })
  return submit
}

/** Asks before the user leaves a changed form; switching its tabs does not count as leaving. */
function useGuard(isDirty: boolean, isLeaving: { readonly current: boolean }): void {
  const { t } = useTranslation()
  useBlocker({
    disabled: !isDirty,
    enableBeforeUnload: () => isDirty && !isLeaving.current,
    shouldBlockFn: async ({ current, next }) => {
      if (isLeaving.current || current.pathname === next.pathname) return false
      const mayLeave = await askForConfirmation({
        title: t(($) => $.form.unsavedTitle),
        text: t(($) => $.form.unsavedText),
        confirm: t(($) => $.form.leave),
        danger: true,
      })
      return !mayLeave
    },
  })
}

interface FormBodyProps {
  name: EntityName
  row: Row | null
  isLocked: boolean
  /** Shows a note that this user may not edit the row, although others may. */
  isNoted: boolean
  onSubmit: () => void
}

function FormBody({ name, row, isLocked, isNoted, onSubmit }: FormBodyProps) {
  const { t } = useTranslation()
  return (
    <form
      noValidate
      className={classes.body}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isLocked) onSubmit()
      }}
    >
      {isLocked && isNoted ? <p className={classes.note}>{t(($) => $.form.readOnly)}</p> : null}
      <FormSections name={name} row={row} isLocked={isLocked} />
      <button type="submit" hidden aria-hidden tabIndex={-1} disabled={isLocked} />
    </form>
  )
}
