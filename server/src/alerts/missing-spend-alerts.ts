// Alerts of partners whose days with activity still lack a spend, in this and the previous month. Closed months take no spend any more.
import type { MissingSpends } from '@tributary/contract/calls/spend-table'
import { addDays, formatDay, monthBefore } from '@tributary/contract/period'
import { findMissingDays } from '../entities/spends/missing-days.ts'
import type { AlertSource, FoundAlert } from './alert-source.ts'

export const missingSpendAlerts: AlertSource = async ({ partners }, today, engines) => {
  const { rows: settings } = await engines.postgres.pool.query<{ days: number }>(
    'select missing_spend_days as days from setting',
  )
  const until = addDays(today, -(settings[0]?.days ?? 1))
  const month = today.slice(0, 7)
  const months = [monthBefore(month), month].filter((one) => `${one}-01` <= until)
  const context = { engines, scopeOf: () => undefined }
  const found = await Promise.all(months.map((one) => findMissingDays(context, partners, one)))
  return found.flatMap((items, index) => toAlerts(items, months[index] ?? month, until))
}

/** One alert for each partner. */
function toAlerts(items: MissingSpends['items'], month: string, until: string): FoundAlert[] {
  return [...Map.groupBy(items, ({ partner }) => partner.id).values()].flatMap((own) => {
    const days = own.flatMap((item) => item.days.map(({ date }) => date).filter((date) => date <= until))
    const [first] = days.toSorted()
    const partner = own[0]?.partner
    if (first === undefined || partner === undefined) return []
    const address = new URLSearchParams({ view: 'table', partner: String(partner.id), month })
    return [
      {
        alert: 'missing_spends' as const,
        subject: `${month} ${partner.id}`,
        facts: `${first} ${days.length}`,
        title: partner.title,
        values: { days: days.length, first: formatDay(first) },
        about: [{ entity: 'partner' as const, id: partner.id }],
        address: `/partners-spends?${address.toString()}`,
        weight: days.length,
      },
    ]
  })
}
