// Steps between the states of budgets: propose, withdraw, approve.
import type { BudgetState } from '@tributary/contract/entities/budget'
import type { BudgetRow } from '@tributary/contract/reports/budget'
import i18next from 'i18next'
import { http } from '../../data/http.ts'
import { askForConfirmation } from '../../ui/confirm.ts'
import { notifyReversible } from '../../ui/notice-action.tsx'
import { notifyFailure, notifySuccess } from '../../ui/notify.ts'

export type Step = 'propose' | 'withdraw' | 'approve'

/** The state that each step starts from. */
export const STEP_FROM: Readonly<Record<Step, BudgetState>> = {
  propose: 'draft',
  withdraw: 'proposed',
  approve: 'proposed',
}

/** An approval stays in the versions of a budget, so nothing undoes it. */
const OPPOSITE: Readonly<Partial<Record<Step, Step>>> = { propose: 'withdraw', withdraw: 'propose' }

/** Ids of budgets in a state, from the rows. */
export const budgetsIn = (rows: readonly BudgetRow[], state: BudgetState): number[] =>
  rows.flatMap(({ groups }) =>
    groups.flatMap(({ budget }) => (budget.id !== null && budget.state === state ? [budget.id] : [])),
  )

function questionOf(step: Step, count: number) {
  const { t } = i18next
  switch (step) {
    case 'propose':
      return { title: t(($) => $.budget.proposeTitle, { count }), text: t(($) => $.budget.proposeText) }
    case 'withdraw':
      return { title: t(($) => $.budget.withdrawTitle, { count }), text: t(($) => $.budget.withdrawText) }
    case 'approve':
      return { title: t(($) => $.budget.approveTitle, { count }), text: t(($) => $.budget.approveText) }
  }
}

/** Approving, and every step of several budgets, asks for confirmation first. */
export async function takeStep(step: Step, ids: readonly number[], refresh: () => Promise<void>): Promise<void> {
  if (ids.length === 0) return
  const isSure =
    (step !== 'approve' && ids.length === 1) ||
    (await askForConfirmation({
      ...questionOf(step, ids.length),
      confirm: i18next.t(($) => $.budget[step]),
    }))
  if (!isSure) return
  const send = async (sent: Step): Promise<void> => {
    try {
      await http.put(`budget_report/${sent}`, { ids })
      const message = i18next.t(($) => $.budget.moved)
      const opposite = OPPOSITE[sent]
      if (opposite === undefined) notifySuccess(message)
      else notifyReversible(message, () => send(opposite))
    } catch (error) {
      notifyFailure(error)
    }
    await refresh()
  }
  await send(step)
}

/** The user's permissions on this screen. */
export interface BudgetRights {
  readonly edits: boolean
  readonly approves: boolean
  readonly reports: boolean
  /** Sees what is missing among spends. */
  readonly spends: boolean
}
