// The progress of each qualification rule: reached, missing and deadline, as in 'needs 40 EUR more, in 3 days'.
import { Progress } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatDay } from '../../lib/date-format.ts'
import { formatDecimal } from '../../lib/number-format.ts'
import { StateBadge, type Tone } from '../../ui/state-badge.tsx'
import classes from './player-story.module.css'
import type { Qualification, Rule } from './player-story.tsx'

const TONES: Readonly<Record<Rule['state'], Tone>> = { met: 'positive', open: 'warning', missed: 'negative' }

const money = (value: string | null) => formatDecimal(value, 2) ?? '0'

export function QualificationProgress({ qualification }: { qualification: Qualification | null }) {
  const { t } = useTranslation()
  return (
    <section aria-label={t(($) => $.players.progress.title)}>
      <h2 className={classes.title}>{t(($) => $.players.progress.title)}</h2>
      {qualification === null ? (
        <p className={classes.quiet}>{t(($) => $.players.progress.none)}</p>
      ) : (
        <Progressed qualification={qualification} />
      )}
    </section>
  )
}

function Progressed({ qualification }: { qualification: Qualification }) {
  const { t } = useTranslation()
  const { rules, state, qualified_at, is_possible } = qualification
  const [tone, words]: [Tone, string] =
    state === 'qualified'
      ? ['positive', t(($) => $.players.progress.qualified, { day: formatDay(qualified_at) ?? '' })]
      : state === 'lost'
        ? ['negative', t(($) => $.players.progress.lost)]
        : is_possible
          ? ['warning', t(($) => $.players.progress.open)]
          : ['negative', t(($) => $.players.progress.impossible)]
  return (
    <>
      <StateBadge tone={tone}>{words}</StateBadge>
      {rules.length === 0 ? <p className={classes.quiet}>{t(($) => $.players.progress.noRules)}</p> : null}
      <ul className={classes.rules}>
        {rules.map((rule) => (
          <li key={rule.rule} className={classes.rule}>
            <div className={classes.head}>
              <span className={classes.name}>{t(($) => $.players.progress.rules[rule.rule])}</span>
              <StateBadge tone={TONES[rule.state]}>{t(($) => $.players.progress.states[rule.state])}</StateBadge>
            </div>
            <Meter rule={rule} />
            <p className={classes.line}>
              <Reached rule={rule} />
              <Deadline rule={rule} />
            </p>
          </li>
        ))}
      </ul>
    </>
  )
}

function Meter({ rule: { rule, required, reached, state } }: { rule: Rule }) {
  const { t } = useTranslation()
  if (rule !== 'deposits' && rule !== 'bets') return null
  const percent = Number(required) === 0 ? 100 : Math.min(100, Math.max(0, (Number(reached) / Number(required)) * 100))
  return (
    <Progress
      className={classes.meter ?? ''}
      size={6}
      value={percent}
      color={state === 'met' ? 'teal' : state === 'missed' ? 'red' : 'blue'}
      aria-label={t(($) => $.players.progress.rules[rule])}
    />
  )
}

function Reached({ rule }: { rule: Rule }) {
  const { t } = useTranslation()
  if (rule.rule === 'country') {
    const reached = rule.reached ?? t(($) => $.players.progress.unknownCountry)
    return <span>{t(($) => $.players.progress.country, { reached, required: rule.required ?? '' })}</span>
  }
  if (rule.required === null) return <span />
  const currency = rule.currency ?? ''
  const isShort = rule.state !== 'met' && Number(rule.missing) > 0
  return (
    <>
      <span>
        {t(($) => $.players.progress.of, { reached: money(rule.reached), required: money(rule.required), currency })}
      </span>
      {isShort ? (
        <span className={classes.needs}>
          {t(($) => $.players.progress.needs, { missing: money(rule.missing), currency })}
        </span>
      ) : null}
    </>
  )
}

function Deadline({ rule: { until, days_left, state } }: { rule: Rule }) {
  const { t } = useTranslation()
  if (until === null) return null
  const day = formatDay(until) ?? until
  if (state === 'met') return <span>{t(($) => $.players.progress.until, { day })}</span>
  if (state === 'missed' || days_left === null) return <span>{t(($) => $.players.progress.over, { day })}</span>
  const left =
    days_left === 0 ? t(($) => $.players.progress.today) : t(($) => $.players.progress.daysLeft, { count: days_left })
  return (
    <span>
      {t(($) => $.players.progress.until, { day })} · {left}
    </span>
  )
}
