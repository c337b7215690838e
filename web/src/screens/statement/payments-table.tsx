// The payments of a statement, and their reversal.
import { Button } from '@mantine/core'
import { ADMIN_OR_LEADERS } from '@tributary/contract/access'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../data/profile.ts'
import { useLabels } from '../../i18n/labels.ts'
import { MoneyAmount } from '../../ui/money-amount.tsx'
import { ReasonModal } from '../../ui/reason-modal.tsx'
import { StateBadge } from '../../ui/state-badge.tsx'
import { DayText, NameText } from '../../ui/value.tsx'
import classes from './statement.module.css'
import type { Statement } from './statement-row.ts'

interface PaymentsTableProps {
  readonly statement: Statement
  /** Sends a PUT and reloads what is shown. */
  readonly onChange: (path: string, body: object) => Promise<void>
}

export function PaymentsTable({ statement: { payments = [], currency }, onChange }: PaymentsTableProps) {
  const { t } = useTranslation()
  const labels = useLabels()
  const can = useCan()
  const [reversed, setReversed] = useState<number | null>(null)
  if (payments.length === 0) return null
  const field = (name: string) => labels.field('payment', name)
  return (
    <section className={classes.scroll}>
      <h3 className={classes.title}>{labels.field('statement', 'payments')}</h3>
      <table className={`${classes.table} ${classes.cards}`}>
        <thead>
          <tr>
            <th>{field('paid_at')}</th>
            <th className={classes.number}>{field('amount')}</th>
            <th>{field('method')}</th>
            <th>{field('reference')}</th>
            <th aria-label={t(($) => $.billing.reverse)} />
          </tr>
        </thead>
        <tbody>
          {payments.map((payment) => (
            <tr key={payment.id}>
              <td>
                <DayText value={payment.paid_at} />
              </td>
              <td className={classes.number}>
                <MoneyAmount value={payment.amount} currency={currency.value} />
              </td>
              <td>
                <NameText value={payment.method === null ? null : labels.choice('payment', 'method', payment.method)} />
              </td>
              <td>
                <NameText value={payment.reference} />
              </td>
              <td className={classes.whole}>
                {payment.reversed_at !== null ? (
                  <StateBadge tone="negative">{field('reversed')}</StateBadge>
                ) : can(ADMIN_OR_LEADERS) ? (
                  <Button
                    size="compact-xs"
                    variant="subtle"
                    c="var(--negative)"
                    onClick={() => setReversed(payment.id)}
                  >
                    {t(($) => $.billing.reverse)}
                  </Button>
                ) : null}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <ReasonModal
        opened={reversed !== null}
        title={t(($) => $.billing.reverse)}
        onClose={() => setReversed(null)}
        send={(reason) => onChange(`payment/${reversed}/reverse`, { reason })}
      />
    </section>
  )
}
