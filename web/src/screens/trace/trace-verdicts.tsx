// The verdict: for each thing that matters, one sentence that says what became of it.
import type { Trace } from '@tributary/contract/calls/trace'
import type { PostbackReason } from '@tributary/contract/entities/postback'
import { useTranslation } from 'react-i18next'
import { useLabels } from '../../i18n/labels.ts'
import { formatDateTime } from '../../lib/date-format.ts'
import { businessZone } from '../../state/business-zone.ts'
import { StateBadge } from '../../ui/state-badge.tsx'
import { useEventName } from './event-name.ts'
import classes from './trace-screen.module.css'

type Verdict = Trace['verdicts'][number]

export function Verdicts({ verdicts }: { verdicts: readonly Verdict[] }) {
  const { t } = useTranslation()
  if (verdicts.length === 0) return null
  return (
    <section className={classes.verdicts} aria-label={t(($) => $.traffic.trace.verdict)}>
      {verdicts.map((verdict) => (
        <Sentence key={`${verdict.code} ${verdict.values.event}`} verdict={verdict} />
      ))}
    </section>
  )
}

function Sentence({ verdict: { code, tone, values } }: { verdict: Verdict }) {
  const { t } = useTranslation()
  const labels = useLabels()
  const nameOf = useEventName()
  const zone = businessZone()
  const moment = (at: string | undefined) => formatDateTime(at, zone, false) ?? ''
  // The server sends the reasons of postbacks only.
  const reason = values.reason as PostbackReason | undefined
  const words = {
    event: values.event === undefined ? '' : nameOf(values.event),
    at: moment(values.at),
    urlAt: moment(values.url_at),
    count: values.count ?? 0,
    reason: reason === undefined ? t(($) => $.traffic.trace.noReason) : labels.choice('postback', 'reason', reason),
  }
  return (
    <div className={classes.verdict}>
      <StateBadge tone={tone}>{t(($) => $.traffic.trace.marks[tone])}</StateBadge>
      <div>
        <p className={classes.sentence}>{t(($) => $.traffic.trace.verdicts[code], words)}</p>
        {reason === undefined || tone === 'positive' ? null : (
          <p className={classes.quiet}>
            {t(($) => $.traffic.howToFix)} {t(($) => $.traffic.fix[reason])}
          </p>
        )}
      </div>
    </div>
  )
}
