// The steps of a statement or an invoice. Partners do not see them: they name people and internal reasons.
import { useQuery } from '@tanstack/react-query'
import { STAFF } from '@tributary/contract/access'
import type { AnswerOf } from '@tributary/contract/calls/registry'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { useCan } from '../../data/profile.ts'
import { keys } from '../../data/query-client.ts'
import { useLabels } from '../../i18n/labels.ts'
import { FailedState } from '../../ui/states.tsx'
import { MomentText } from '../../ui/value.tsx'
import { stepsOf } from './document-steps.ts'
import classes from './statement.module.css'

const STATE_FIELD = { statement: 'state', payment_invoice: 'status' } as const
const STEPS_SHOWN = '100'

export function StepList({ name, id }: { name: 'statement' | 'payment_invoice'; id: number }) {
  const { t } = useTranslation()
  const labels = useLabels()
  const isStaff = useCan()(STAFF)
  const { data, error, refetch } = useQuery({
    queryKey: [...keys.entity(name), 'steps', id],
    queryFn: ({ signal }) =>
      http.get<AnswerOf<'audit_log_history'>>(`audit_log/history/${name}/${id}`, {
        query: { limit: STEPS_SHOWN },
        signal,
      }),
    enabled: isStaff,
  })
  if (!isStaff) return null
  if (error) return <FailedState error={error} onRetry={() => void refetch()} />
  const steps = stepsOf(name, data?.items ?? [])
  if (steps.length === 0) return null
  return (
    <section>
      <h3 className={classes.title}>{t(($) => $.billing.stepList)}</h3>
      <ol className={classes.steps}>
        {steps.map(({ id: key, at, person, cause, reason, state }) => (
          <li key={key}>
            <span className={classes.quiet}>
              <MomentText value={at} />
              {` · ${person ?? t(($) => $.values.system)}`}
            </span>
            <span>
              {state === null ? null : <strong>{labels.choice(name, STATE_FIELD[name], state)}</strong>}
              {state === null ? null : ' · '}
              {reason === null ? labels.cause(cause) : `${labels.cause(cause)}: ${reason}`}
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}
