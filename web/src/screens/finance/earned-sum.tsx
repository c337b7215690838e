// Above a month's ledger entries of one partner: what they sum to in the partner's ledger, which opened them.
import { useQuery } from '@tanstack/react-query'
import type { AnswerOf } from '@tributary/contract/calls/registry'
import { formatMonth, isMonth } from '@tributary/contract/period'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { useProfile } from '../../data/profile.ts'
import { keys } from '../../data/query-client.ts'
import type { ListToolsProps } from '../../entities/list/list-screen.tsx'
import { currentLanguage } from '../../i18n/language.ts'
import { MoneyAmount } from '../../ui/money-amount.tsx'
import { Unrated } from '../../ui/unrated.tsx'
import classes from './finance.module.css'

/** Nothing unless the list shows just one partner's month. */
export function EarnedSum({ list: { query } }: ListToolsProps) {
  const { t } = useTranslation()
  const { role, partner: own } = useProfile()
  const valueAt = (path: string) => {
    const found = query.conditions.find((condition) => condition.path === path)
    return found?.values.length === 1 && (found.operator === 'eq' || found.operator === 'in')
      ? found.values[0]
      : undefined
  }
  const month = valueAt('booked_month')
  const partner = role.kind === 'PARTNER' ? own?.id : Number(valueAt('partner'))
  const others = query.conditions.filter(({ path }) => path !== 'booked_month' && path !== 'partner')
  const isOne = isMonth(month) && Number.isSafeInteger(partner) && others.length === 0 && query.query === ''
  const { data } = useQuery({
    queryKey: [...keys.entity('ledger_entry'), 'earned', partner, month],
    queryFn: ({ signal }) =>
      http.get<AnswerOf<'partner_ledger'>>(`partner/${partner}/ledger`, {
        query: [
          ['from', month ?? ''],
          ['to', month ?? ''],
        ],
        signal,
      }),
    enabled: isOne,
  })
  const shown = data?.months[0]
  if (!isOne || shown === undefined) return null
  return (
    <div className={classes.quiet}>
      {t(($) => $.finance.ledger.earned)}, {formatMonth(month, currentLanguage())}:{' '}
      <MoneyAmount value={shown.earned} currency={shown.currency.value} />
      <Unrated parts={shown.earned_unrated} />
    </div>
  )
}
