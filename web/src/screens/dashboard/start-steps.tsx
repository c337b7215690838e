// The five first steps of an empty installation. They tick themselves, and disappear when all are done or the admin hides them.
import { Button } from '@mantine/core'
import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { START_STEPS, type StartNeed, type StartStep, startSteps } from '@tributary/contract/calls/start-steps'
import { ENTITIES } from '@tributary/contract/entities/registry'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { useCan } from '../../data/profile.ts'
import { savePreferences, usePreferences } from '../../data/user-preferences.ts'
import { useLabels } from '../../i18n/labels.ts'
import { currentWords } from '../../i18n/language.ts'
import classes from './start-steps.module.css'

/** Where a step is done. */
const PLACE: Readonly<Record<StartStep, string>> = {
  advertiser: '/advertisers/create',
  offer: '/offers/create',
  partner: '/partners',
  offer_partner: '/offer-partners/create',
  click: '/offer-partners',
}

/** What a step needs from the directory. */
const NEEDS: Partial<Readonly<Record<StartStep, readonly StartNeed[]>>> = {
  advertiser: ['currency', 'country'],
  offer_partner: ['traffic_source'],
}

interface Steps {
  readonly done: readonly StartStep[]
  readonly missing: readonly StartNeed[]
}

/** `isPending`: it is not known yet whether there are steps to show. */
export function useStartSteps() {
  const mayStart = useCan()(startSteps.access)
  const { start_hidden: isHidden } = usePreferences()
  const isWanted = mayStart && !isHidden
  const { data, isPending } = useQuery({
    queryKey: ['start_steps'],
    queryFn: ({ signal }) => http.get<Steps>('start_steps', { signal }),
    enabled: isWanted,
    refetchOnMount: 'always',
    // The dashboard does not wait for steps that fail.
    retry: false,
  })
  return { isPending: isWanted && isPending, steps: isWanted ? (data ?? null) : null }
}

export function StartSteps({ steps }: { steps: Steps | null }) {
  const { t } = useTranslation()
  const isDone = steps !== null && steps.done.length === START_STEPS.length
  // Nobody needs to ask again.
  useEffect(() => {
    if (isDone) void savePreferences(() => ({ start_hidden: true }))
  }, [isDone])
  if (steps === null || isDone) return null
  const { done, missing } = steps
  const next = START_STEPS.find((step) => !done.includes(step))
  return (
    <section className={classes.start} aria-labelledby="start-title">
      <header className={classes.head}>
        <h2 id="start-title" className={classes.title}>
          {t(($) => $.start.title)}
        </h2>
        <span className={classes.count}>{t(($) => $.start.count, { done: done.length, all: START_STEPS.length })}</span>
        <Button variant="subtle" size="compact-sm" onClick={() => void savePreferences(() => ({ start_hidden: true }))}>
          {t(($) => $.start.hide)}
        </Button>
      </header>
      <ol className={classes.steps}>
        {START_STEPS.map((step) => (
          <Step
            key={step}
            step={step}
            isDone={done.includes(step)}
            isNext={step === next}
            missing={(NEEDS[step] ?? []).filter((need) => missing.includes(need))}
          />
        ))}
      </ol>
    </section>
  )
}

interface StepProps {
  step: StartStep
  isDone: boolean
  isNext: boolean
  missing: readonly StartNeed[]
}

function Step({ step, isDone, isNext, missing }: StepProps) {
  const { t } = useTranslation()
  const labels = useLabels()
  const { title, text } = currentWords().start.steps[step]
  const Mark = isDone ? IconCircleCheckFilled : IconCircle
  return (
    <li
      className={isDone ? `${classes.step} ${classes.done}` : classes.step}
      aria-current={isNext ? 'step' : undefined}
    >
      <Mark size={20} aria-label={isDone ? t(($) => $.start.done) : t(($) => $.start.open)} role="img" />
      <span className={classes.words}>
        <strong>{title}</strong>
        <span className={classes.text}>{text}</span>
        {isDone || missing.length === 0 ? null : (
          <span className={classes.needs}>
            {t(($) => $.start.needs)}
            {missing.map((need) => (
              <Link key={need} to={`${ENTITIES[need].route}/create`}>
                {labels.create(need)}
              </Link>
            ))}
          </span>
        )}
      </span>
      {isDone ? null : (
        <Button component={Link} to={PLACE[step]} variant={isNext ? 'filled' : 'default'}>
          {t(($) => $.start.go)}
        </Button>
      )}
    </li>
  )
}
