// The form of a partner budget.
import { Modal, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lookupLoader } from '../../data/lookup.ts'
import type { LookupOption } from '../../ui/lookup/lookup-options.tsx'
import { LookupSelect } from '../../ui/lookup/lookup-select.tsx'
import { ModalActions } from '../../ui/modal-actions.tsx'
import { notifySuccess } from '../../ui/notify.ts'
import { onSubmit } from '../../ui/submit.ts'
import { useBusy } from '../../ui/use-busy.ts'
import { useLastValue } from '../../ui/use-last-value.ts'
import { explainPlan, readPlan } from './read-plan.ts'
import { savePlan, useBudgetRefresh } from './use-budget.ts'

export interface PartTarget {
  readonly name: string
  readonly cell: { readonly advertiser: number; readonly country: number; readonly month: string }
}

export function PartModal({ target, onClose }: { target: PartTarget | null; onClose: () => void }) {
  const { t } = useTranslation()
  const shown = useLastValue(target)
  return (
    <Modal opened={target !== null} onClose={onClose} title={`${t(($) => $.budget.part)} ${shown?.name ?? ''}`}>
      {shown ? <PartForm key={shown.name} target={shown} onClose={onClose} /> : null}
    </Modal>
  )
}

function PartForm({ target, onClose }: { target: PartTarget; onClose: () => void }) {
  const { t } = useTranslation()
  const refresh = useBudgetRefresh()
  const [partner, setPartner] = useState<LookupOption | null>(null)
  const [text, setText] = useState('')
  const { isBusy, run } = useBusy()
  const { amount, problem } = readPlan(text)
  const save = () =>
    run(async () => {
      if (partner === null || amount === null) return
      const cell = { ...target.cell, partner: partner.id }
      await savePlan({ entity: 'partner_budget', id: null, cell }, amount)
      notifySuccess(t(($) => $.budget.saved))
      onClose()
      await refresh()
    })
  return (
    <form onSubmit={onSubmit(save)}>
      <LookupSelect
        ariaLabel={t(($) => $.budget.nusColumns.partner)}
        label={t(($) => $.budget.nusColumns.partner)}
        value={partner}
        load={lookupLoader('partner')}
        onChange={setPartner}
        required
      />
      <TextInput
        mt="sm"
        required
        label={t(($) => $.budget.columns.planned)}
        inputMode="decimal"
        value={text}
        error={problem === null ? null : explainPlan(problem, text)}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <ModalActions
        submit={t(($) => $.actions.save)}
        onCancel={onClose}
        isBusy={isBusy}
        isReady={partner !== null && amount !== null}
      />
    </form>
  )
}
