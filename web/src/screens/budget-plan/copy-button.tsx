// Creates drafts from last month's plan, changed by a percentage.
import { Button, Modal } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { formatMonth, monthBefore } from '@tributary/contract/period'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { NumberField } from '../../entities/field/number-field.tsx'
import { currentLanguage } from '../../i18n/language.ts'
import { ModalActions } from '../../ui/modal-actions.tsx'
import { notifySuccess } from '../../ui/notify.ts'
import { onSubmit } from '../../ui/submit.ts'
import { useBusy } from '../../ui/use-busy.ts'
import { explainPercent } from './read-plan.ts'
import { useBudgetRefresh } from './use-budget.ts'

/** Without bounds: what lies outside them is said, not changed. */
const MASK = { scale: 2, isSigned: true } as const

export function CopyMonthButton({ month }: { month: string }) {
  const { t } = useTranslation()
  const refresh = useBudgetRefresh()
  const [isOpen, setOpen] = useState(false)
  const { isBusy, run } = useBusy()
  const [percent, setPercent] = useState('0')
  const problem = explainPercent(percent)
  const copy = () =>
    run(async () => {
      if (problem !== null) return
      const body = { month, percent: percent.replace(/\.$/, '') }
      const { created, kept } = await http.post<{ created: number; kept: number }>('budget_report/copy', body)
      notifySuccess(t(($) => $.budget.copied, { created, kept }))
      setOpen(false)
      await refresh()
    })
  return (
    <>
      <Button variant="default" leftSection={<IconCopy size={15} aria-hidden />} onClick={() => setOpen(true)}>
        {t(($) => $.budget.copy)}
      </Button>
      <Modal
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={t(($) => $.budget.copyTitle, { month: formatMonth(`${monthBefore(month)}-01`, currentLanguage()) })}
      >
        <form onSubmit={onSubmit(copy)}>
          <NumberField
            data-autofocus
            label={t(($) => $.budget.percent)}
            description={t(($) => $.budget.copyText)}
            mask={MASK}
            value={percent}
            error={problem}
            onChange={setPercent}
          />
          <ModalActions submit={t(($) => $.actions.copy)} onCancel={() => setOpen(false)} isBusy={isBusy} />
        </form>
      </Modal>
    </>
  )
}
