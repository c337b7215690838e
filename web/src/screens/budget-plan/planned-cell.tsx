// A planned amount, edited in place: Enter, Tab and leaving it save, Escape cancels. One that is or was approved needs a reason.
import { Tooltip } from '@mantine/core'
import { type KeyboardEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { HttpError } from '../../data/http-error.ts'
import { formatCount, formatMoney } from '../../lib/number-format.ts'
import { notifyFailure, notifySuccess } from '../../ui/notify.ts'
import { ReasonModal } from '../../ui/reason-modal.tsx'
import { Count, Dash } from '../../ui/value.tsx'
import classes from './budget.module.css'
import { actOnEnter, explainPlan, plainPlan, readPlan } from './read-plan.ts'
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

export function PlannedCell(props: PlannedCellProps) {
  const { name, shown, planned, currency, reportCurrency, target } = props
  const { t } = useTranslation()
  const [isEditing, setEditing] = useState(false)
  const takesFocus = useRef(false)
  const onDone = (returnsFocus: boolean) => {
    takesFocus.current = returnsFocus
    setEditing(false)
  }
  if (target === null) return <Count value={shown} />
  if (isEditing) return <PlannedInput {...props} target={target} onDone={onDone} />
  const isForeign = planned !== null && currency !== reportCurrency
  const entered = t(($) => $.budget.inReport, { amount: formatMoney(planned) ?? '', currency })
  return (
    <button
      type="button"
      data-plan
      ref={(button) => {
        if (button !== null && takesFocus.current) button.focus()
        takesFocus.current = false
      }}
      className={classes.planned}
      title={isForeign ? entered : t(($) => $.budget.plan, { name })}
      aria-label={`${t(($) => $.budget.plan, { name })}: ${formatCount(shown) ?? (planned === null ? t(($) => $.budget.noPlan) : entered)}`}
      onClick={() => setEditing(true)}
    >
      {shown === null ? planned === null ? <Dash /> : `${formatMoney(planned)} ${currency}` : <Count value={shown} />}
    </button>
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
}: PlannedCellProps & { target: PlanTarget; onDone: (returnsFocus: boolean) => void }) {
  const { t } = useTranslation()
  const refresh = useBudgetRefresh()
  const before = plainPlan(planned)
  const [text, setText] = useState(before)
  const [isAsking, setAsking] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const isLeaving = useRef(false)
  const hasLeft = useRef(false)
  const { amount, problem } = readPlan(text, before)
  const isUnread = problem !== null
  // Told on Enter, until something is typed.
  const [isMissing, setMissing] = useState(false)
  const isWrong = isUnread || isMissing
  const why = isUnread ? explainPlan(problem, text) : isMissing ? t(($) => $.budget.missing, { amount: before }) : ''
  const send = async (reason?: string) => {
    if (amount === null) return
    setBusy(true)
    try {
      await savePlan(target, amount, reason)
      isLeaving.current = true
      notifySuccess(t(($) => $.budget.saved))
      onDone(!hasLeft.current)
    } finally {
      setBusy(false)
      await refresh()
    }
  }
  const save = async () => {
    if (isBusy) return
    try {
      await send()
    } catch (error) {
      if (lacksReason(error)) setAsking(true)
      else notifyFailure(error)
    }
  }
  const onKey = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Escape') {
      event.stopPropagation()
      isLeaving.current = true
      onDone(true)
    }
    if (event.key === 'Tab') {
      const next = nextPlan(event.currentTarget, event.shiftKey)
      if (next === undefined) return
      event.preventDefault()
      // Leaving the field saves it.
      next.focus()
    }
    if (event.key !== 'Enter') return
    event.preventDefault()
    finish()
  }
  const finish = () => {
    const act = actOnEnter(text, before)
    if (act === 'missing') setMissing(true)
    else if (act === 'close') onDone(!hasLeft.current)
    else if (amount !== null && isApproved) setAsking(true)
    else void save()
  }
  const leave = () => {
    if (isAsking || isBusy || isLeaving.current) return
    // What cannot be read stays, with its reason.
    if (isUnread) return
    hasLeft.current = true
    if (text.trim() === '') onDone(false)
    else finish()
  }
  return (
    <>
      <Tooltip
        opened={isWrong}
        color="red"
        position="bottom-end"
        label={why}
        events={{ hover: false, focus: false, touch: false }}
      >
        <span className={classes.inPlace}>
          <span aria-hidden>{formatCount(shown) ?? before}</span>
          <input
            ref={(input) => {
              if (
                input !== null &&
                !isAsking &&
                document.activeElement !== input &&
                !isLeaving.current &&
                !hasLeft.current &&
                !isWrong
              )
                input.focus()
            }}
            className={classes.input}
            data-plan
            inputMode="decimal"
            aria-label={t(($) => $.budget.plan, { name })}
            aria-invalid={isWrong}
            title={t(($) => $.budget.planHint, { currency })}
            value={text}
            disabled={isBusy}
            onFocus={(event) => {
              hasLeft.current = false
              event.currentTarget.select()
            }}
            onChange={(event) => {
              setMissing(false)
              setText(event.currentTarget.value)
            }}
            onKeyDown={onKey}
            onBlur={leave}
          />
        </span>
      </Tooltip>
      {isWrong ? (
        <span role="alert" className={classes.hidden}>
          {why}
        </span>
      ) : null}
      <ReasonModal
        opened={isAsking}
        title={t(($) => $.budget.reasonTitle)}
        text={t(($) => $.budget.reasonText)}
        label={t(($) => $.budget.reason)}
        submit={t(($) => $.actions.save)}
        onClose={() => onDone(true)}
        send={send}
      />
    </>
  )
}

/** The plan that Tab goes to. */
function nextPlan(input: HTMLElement, isBack: boolean): HTMLElement | undefined {
  const plans = [...(input.closest('table')?.querySelectorAll<HTMLElement>('[data-plan]') ?? [])]
  return plans[plans.indexOf(input) + (isBack ? -1 : 1)]
}

/** True if the budget was approved before, which the screen does not know. */
const lacksReason = (error: unknown): boolean =>
  error instanceof HttpError && error.reply?.reasons?.some(({ field }) => field === 'reason') === true
