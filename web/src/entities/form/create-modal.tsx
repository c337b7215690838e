// Creates a row in a modal over its list, with the first section of the form; the form page opens next.

import { Modal } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { EntityName } from '@tributary/contract/entities/registry'
import { useRef } from 'react'
import { FormProvider } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { useLabels } from '../../i18n/labels.ts'
import { ModalActions } from '../../ui/modal-actions.tsx'
import { onSubmit } from '../../ui/submit.ts'
import { entityOf, fieldOf } from '../field/field-at.ts'
import { editPath } from '../field/row-link.ts'
import classes from './form.module.css'
import { FormField } from './form-field.tsx'
import { focusInvalidField, useSaveKey } from './form-keyboard.ts'
import { type FormSlots, FormSlotsContext, NO_SLOTS, RejectionContext } from './form-slots.ts'
import { useEntityForm } from './use-entity-form.ts'

interface CreateModalProps {
  name: EntityName
  slots?: FormSlots | undefined
  isOpen: boolean
  onClose: () => void
}

/** A modal that creates a row and opens its form. */
export function CreateModal({ name, slots = NO_SLOTS, isOpen, onClose }: CreateModalProps) {
  const labels = useLabels()
  return (
    <Modal opened={isOpen} onClose={onClose} size="lg" title={labels.create(name)}>
      <CreateForm name={name} slots={slots} onClose={onClose} />
    </Modal>
  )
}

function CreateForm({ name, slots, onClose }: { name: EntityName; slots: FormSlots; onClose: () => void }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { form, save, rejection } = useEntityForm(name, null, slots)
  const { isSubmitting } = form.formState
  const fields = entityOf(name).form[0]?.fields ?? []
  const isSaving = useRef(false)
  const send = () => {
    const from = document.activeElement
    const reveal = () => focusInvalidField(from, '[role="dialog"] form')
    return form.handleSubmit(async (values) => {
      const { saved } = await save(values)
      if (saved === null) return reveal()
      onClose()
      const path = editPath(name, saved.id)
      if (path !== null) await navigate({ to: path })
    }, reveal)()
  }
  const submit = async () => {
    if (isSaving.current) return
    isSaving.current = true
    await send()
    isSaving.current = false
  }
  useSaveKey(() => void submit())
  return (
    <FormSlotsContext value={slots}>
      <FormProvider {...form}>
        <form noValidate onSubmit={onSubmit(submit)}>
          <RejectionContext value={rejection}>
            <div className={classes.grid}>
              {fields.map((path) => {
                const field = fieldOf(name, path)
                if (field === undefined || field.kind === 'children') return null
                const isWide = field.kind === 'text' && field.format === 'long'
                return (
                  <div key={path} className={isWide ? classes.wide : undefined}>
                    <FormField entity={name} name={path} path={path} field={field} isNew isLocked={false} />
                  </div>
                )
              })}
            </div>
          </RejectionContext>
          <ModalActions submit={t(($) => $.actions.create)} onCancel={onClose} isBusy={isSubmitting} />
        </form>
      </FormProvider>
    </FormSlotsContext>
  )
}
