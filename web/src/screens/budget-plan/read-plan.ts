// Reads a typed planned amount, or says why it is rejected. Has no side effects.
import { COPY_PERCENT } from '@tributary/contract/calls/budget'
import { budget } from '@tributary/contract/entities/budget'
import { checkField, type Issue } from '@tributary/contract/validate'
import { say } from '@tributary/contract/words/messages'
import i18next from 'i18next'
import { currentLanguage } from '../../i18n/language.ts'
import { readAmount } from '../../lib/read-amounts.ts'

type PlanProblem = 'not_amount' | 'two_ways' | 'negative' | Issue

export interface ReadPlan {
  /** As the server takes it; null: nothing is typed, or there is a problem. */
  readonly amount: string | null
  readonly problem: PlanProblem | null
}

/** Reads a typed amount as the spend grid does. `saved` is the text that the cell opens with: '1.234' is no problem then. */
export function readPlan(text: string, saved = ''): ReadPlan {
  if (text === saved) return { amount: saved === '' ? null : saved, problem: null }
  const read = readAmount(text)
  if ('problem' in read) return { amount: null, problem: read.problem }
  if (read.base === null) return { amount: null, problem: null }
  const [issue] = checkField(budget.fields.planned, read.base)
  return issue === undefined ? { amount: plainPlan(read.base), problem: null } : { amount: null, problem: issue }
}

/** '2500.00' → '2500' */
export function plainPlan(amount: string | null): string {
  const [whole = '', fraction = ''] = (amount ?? '').split('.')
  const decimals = fraction.replace(/0+$/, '')
  return `${whole.replace(/^0+(?=\d)/, '')}${decimals === '' ? '' : `.${decimals}`}`
}

export function explainPlan(problem: PlanProblem, text: string): string {
  if (typeof problem === 'object') return say(currentLanguage(), problem.key, problem.values)
  if (problem === 'negative') return i18next.t(($) => $.budget.negative)
  return i18next.t(($) => $.spends.grid.problems[problem], { text })
}

/** What Enter does in the field of a plan: an emptied plan is missing its amount, for a plan of nothing is 0. */
export function actOnEnter(text: string, saved: string): 'close' | 'missing' | 'save' {
  const { amount, problem } = readPlan(text, saved)
  if (problem !== null) return 'save'
  if (amount === null) return saved === '' ? 'close' : 'missing'
  return amount === saved ? 'close' : 'save'
}

/** Why the percentage by which a copied plan changes is rejected; null if it is not. */
export function explainPercent(text: string): string | null {
  if (!/\d/.test(text)) return say(currentLanguage(), 'required')
  if (Number(text) < COPY_PERCENT.min) return say(currentLanguage(), 'min_value', { min: COPY_PERCENT.min })
  return Number(text) > COPY_PERCENT.max ? say(currentLanguage(), 'max_value', { max: COPY_PERCENT.max }) : null
}
