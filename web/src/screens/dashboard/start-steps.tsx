// The five first steps of an empty installation. They tick themselves, and disappear when all are done or the admin hides them.
import { Button } from '@mantine/core'
import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { START_STEPS, type StartStep, startSteps } from '@tributary/contract/calls/start-steps'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { useCan } from '../../data/profile.ts'
import { savePreferences, usePreferences } from '../../data/user-preferences.ts'
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

/** `isPending`: it is not known yet whether there are steps to show. */
export function useStartSteps() {
  const mayStart = useCan()(startSteps.access)
  const { start_hidden: isHidden } = usePreferences()
  const isWanted = mayStart && !isHidden
  const { data, isPending } = useQuery({
    queryKey: ['start_steps'],
    queryFn: ({ signal }) => http.get<{ done: StartStep[] }>('start_steps', { signal }),
    enabled: isWanted,
    refetchOnMount: 'always',
    // The dashboard does not wait for steps that fail.
    retry: false,
  })
  return { isPending: isWanted && isPending, done: isWanted ? (data?.done ?? null) : null }
}

export function StartSteps({ done }: { done: readonly StartStep[] | null }) {
  const { t } = useTranslation()
  const isDone = done !== null && done.length === START_STEPS.length
  // Nobody needs to ask again.
  useEffect(() => {
    if (isDone) void savePreferences({ start_hidden: true })
  }, [isDone])
  if (done === null || isDone) return null
  const next = START_STEPS.find((step) => !done.includes(step))
  return (
    <section className={classes.start} aria-labelledby="start-title">
      <header className={classes.head}>
        <h2 id="start-title" className={classes.title}>
          {t(($) => $.start.title)}
        </h2>
        <span className={classes.count}>{t(($) => $.start.count, { done: done.length, all: START_STEPS.length })}</span>
        <Button variant="subtle" size="compact-sm" onClick={() => void savePreferences({ start_hidden: true })}>
          {t(($) => $.start.hide)}
        </Button>
      </header>
      <ol className={classes.steps}>
        {START_STEPS.map((step) => (
          <Step key={step} step={step} isDone={done.includes(step)} isNext={step === next} />
        ))}
      </ol>
    </section>
  )
}

function Step({ step, isDone, isNext }: { step: StartStep; isDone: boolean; isNext: boolean }) {
  const { t } = useTranslation()
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
      </span>
      {isDone ? null : (
        <Button component={Link} to={PLACE[step]} variant={isNext ? 'filled' : 'default'}>
          {t(($) => $.start.go)}
        </Button>
      )}
    </li>
  )
}
