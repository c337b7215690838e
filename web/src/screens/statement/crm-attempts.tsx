// The calls to the CRM about an invoice: when, with what outcome, and the answer on request.
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLabels } from '../../i18n/labels.ts'
import { StateBadge } from '../../ui/state-badge.tsx'
import { Count, MomentText } from '../../ui/value.tsx'
import classes from './statement.module.css'

export interface CrmAttempt {
  readonly id: number
  readonly created_at: string
  readonly method: string
  /** Null if no answer came. */
  readonly status: number | null
  readonly request: unknown
  readonly response: string | null
  readonly error: string | null
  readonly duration_ms: number | null
}

export function CrmAttempts({ attempts }: { attempts: readonly CrmAttempt[] }) {
  const { t } = useTranslation()
  const labels = useLabels()
  const [opened, setOpened] = useState<number | null>(null)
  const field = (name: string) => labels.field('crm_attempt', name)
  return (
    <section className={classes.scroll}>
      <h3 className={classes.title}>{labels.field('payment_invoice', 'attempts')}</h3>
      {attempts.length === 0 ? (
        <p className={classes.quiet}>{t(($) => $.billing.crm.noAttempts)}</p>
      ) : (
        <table className={classes.table}>
          <thead>
            <tr>
              <th>{t(($) => $.billing.crm.at)}</th>
              <th>{field('status')}</th>
              <th className={`${classes.number} ${classes.roomy}`}>{field('duration_ms')}</th>
              <th aria-label={field('response')} />
            </tr>
          </thead>
          <tbody>
            {attempts.map((attempt) => (
              <Attempt
                key={attempt.id}
                attempt={attempt}
                isOpen={opened === attempt.id}
                onOpen={() => setOpened(opened === attempt.id ? null : attempt.id)}
              />
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

/** JSON as the CRM sent it, with line breaks; other text as it is. */
function prettyText(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

interface AttemptProps {
  readonly attempt: CrmAttempt
  readonly isOpen: boolean
  readonly onOpen: () => void
}

function Attempt({ attempt, isOpen, onOpen }: AttemptProps) {
  const { t } = useTranslation()
  const { created_at, method, status, request, response, error, duration_ms } = attempt
  const isFine = status !== null && status >= 200 && status < 300
  return (
    <>
      <tr>
        <td>
          <MomentText value={created_at} seconds />
        </td>
        <td>
          <StateBadge tone={isFine ? 'positive' : 'negative'}>
            {status === null ? t(($) => $.billing.crm.noAnswer) : `${method} · ${status}`}
          </StateBadge>
        </td>
        <td className={`${classes.number} ${classes.roomy}`}>
          <Count value={duration_ms} />
        </td>
        <td className={classes.number}>
          <Button size="compact-xs" variant="subtle" aria-expanded={isOpen} onClick={onOpen}>
            {t(($) => $.billing.crm.answer)}
          </Button>
        </td>
      </tr>
      {isOpen ? (
        <tr>
          <td colSpan={4} className={classes.opened}>
            <div className={classes.items}>
              {error === null ? null : <p className={classes.blocker}>{error}</p>}
              {response === null ? null : <pre className={classes.code}>{prettyText(response)}</pre>}
              {request === null ? null : (
                <>
                  <p className={classes.quiet}>{t(($) => $.billing.crm.request)}</p>
                  <pre className={classes.code}>{JSON.stringify(request, null, 2)}</pre>
                </>
              )}
            </div>
          </td>
        </tr>
      ) : null}
    </>
  )
}
