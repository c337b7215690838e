// A planned amount, edited in place: Enter saves, Escape cancels. One that is or was approved needs a reason.
import { Modal, Textarea, Tooltip } from '@mantine/core'
import { type KeyboardEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { HttpError } from '../../data/http-error.ts'
import { formatCount, formatMoney } from '../../lib/number-format.ts'
import { ModalActions } from '../../ui/modal-actions.tsx'
import { notifyFailure, notifySuccess } from '../../ui/notify.ts'
import { onSubmit } from '../../ui/submit.ts'
import { Count, Dash } from '../../ui/value.tsx'
import classes from './budget.module.css'
import { type PlanTarget, savePlan, useBudgetRefresh } from './use-budget.ts'

interface PlannedCellProps {
  name: string
  /** In the report currency. */
  shown: string | null
  /** As entered, in `currency`. */
  planned: string | null
  currency: string
  reportCurrency: string
  isApproved: boolean
  /** Null: the amount is a sum, or the user may not edit it. */
  target: PlanTarget | null
}

const AMOUNT = /^\d{1,10}([.,]\d{1,4})?$/
/** Converts typed or pasted amounts to the wire format; null if the text is no amount. */
export function readAmount(text: string): string | null {
  const plain = text.replace(/[\s\u00a0\u202f]/g, '')
  return AMOUNT.test(plain) ? plain.replace(',', '.') : null
}

const withoutZeros = (amount: string | null): string =>
  (amount ?? '').replace(/\.?0+$/, (zeros) => (zeros.startsWith('.') ? '' : zeros))

export function PlannedCell(props: PlannedCellProps) {
  const { name, shown, planned, currency, reportCurrency, target } = props
  const { t } = useTranslation()
  const [isEditing, setEditing] = useState(false)
  if (target === null) return <Count value={shown} />
  if (isEditing) return <PlannedInput {...props} target={target} onDone={() => setEditing(false)} />
  const isForeign = planned !== null && currency !== reportCurrency
  const entered = t(($) => $.budget.inReport, { amount: formatMoney(planned) ?? '', currency })
  return (
    <Tooltip label={isForeign ? entered : t(($) => $.budget.plan, { name })} openDelay={400}>
      <button
        type="button"
        className={classes.planned}
        aria-label={`${t(($) => $.budget.plan, { name })}: ${formatCount(shown) ?? (planned === null ? t(($) => $.budget.noPlan) : entered)}`}
        onClick={() => setEditing(true)}
      >
        {shown === null ? planned === null ? <Dash /> : `${formatMoney(planned)} ${currency}` : <Count value={shown} />}
      </button>
    </Tooltip>
  )
}

function PlannedInput({
  name,
  shown,
  planned,
  currency,
  isApproved,
  target,
  onDone,
}: PlannedCellProps & { target: PlanTarget; onDone: () => void }) {
  const { t } = useTranslation()
  const refresh = useBudgetRefresh()
  const before = withoutZeros(planned)
  const [text, setText] = useState(before)
  const [isAsking, setAsking] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const isLeaving = useRef(false)
  const amount = readAmount(text)
  const isWrong = text.trim() !== '' && amount === null
  const save = async (reason?: string) => {
    if (amount === null || isBusy) return
    setBusy(true)
    try {
      await savePlan(target, amount, reason)
      isLeaving.current = true
      await refresh()
      notifySuccess(t(($) => $.budget.saved))
      onDone()
    } catch (error) {
      setBusy(false)
      if (reason === undefined && lacksReason(error)) return setAsking(true)
      notifyFailure(error)
      await refresh()
    }
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.stopPropagation()
      isLeaving.current = true
      onDone()
    }
    if (event.key !== 'Enter') return
    event.preventDefault()
    if (amount === before) onDone()
    else if (amount !== null && isApproved) setAsking(true)
    else void save()
  }
  return (
    <>
      <Tooltip
        opened={isWrong}
        color="red"
        position="bottom-end"
        label={t(($) => $.budget.notAmount, { text, currency })}
        events={{ hover: false, focus: false, touch: false }}
      >
        <span className={classes.inPlace}>
          <span aria-hidden>{formatCount(shown) ?? before}</span>
          <input
            ref={(input) => {
              if (input !== null && !isAsking && document.activeElement !== input && !isLeaving.current) input.focus()
            }}
            className={classes.input}
            inputMode="decimal"
            aria-label={t(($) => $.budget.plan, { name })}
            aria-invalid={isWrong}
            title={t(($) => $.budget.planHint, { currency })}
            value={text}
            disabled={isBusy}
            onFocus={(event) => event.currentTarget.select()}
            onChange={(event) => setText(event.currentTarget.value)}
            onKeyDown={onKey}
            onBlur={() => {
              if (!isAsking && !isBusy && !isLeaving.current) onDone()
            }}
          />
        </span>
      </Tooltip>
      {isWrong ? (
        <span role="alert" className={classes.hidden}>
          {t(($) => $.budget.notAmount, { text, currency })}
        </span>
      ) : null}
      <ReasonModal isOpen={isAsking} isBusy={isBusy} onClose={onDone} onSave={(reason) => void save(reason)} />
    </>
  )
}

/** True if the budget was approved before, which the screen does not know. */
const lacksReason = (error: unknown): boolean =>
  error instanceof HttpError && error.reply?.reasons?.some(({ field }) => field === 'reason') === true

interface ReasonModalProps {
  isOpen: boolean
  isBusy: boolean
  onClose: () => void
  onSave: (reason: string) => void
}

function ReasonModal({ isOpen, isBusy, onClose, onSave }: ReasonModalProps) {
  const { t } = useTranslation()
  const [reason, setReason] = useState('')
  return (
    <Modal opened={isOpen} onClose={onClose} title={t(($) => $.budget.reasonTitle)}>
      <form onSubmit={onSubmit(() => (reason.trim() === '' ? undefined : onSave(reason)))}>
        <Textarea
          data-autofocus
          required
          label={t(($) => $.budget.reason)}
          description={t(($) => $.budget.reasonText)}
          maxLength={1000}
          autosize
          minRows={2}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <ModalActions
          submit={t(($) => $.actions.save)}
          onCancel={onClose}
          isBusy={isBusy}
          isReady={reason.trim() !== ''}
        />
      </form>
    </Modal>
  )
}
