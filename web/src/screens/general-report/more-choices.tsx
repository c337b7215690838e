// Activity, baseline and the moment as of which the report is known.
import { Radio } from '@mantine/core'
import { ACTIVITIES, BASELINES } from '@tributary/contract/reports/choices'
import { useReportWords } from '../../i18n/labels.ts'
import { KnownPanel } from '../../reports/run/known-panel.tsx'
import classes from './more-panel.module.css'
import type { ReportControl } from './use-report-state.ts'

interface MoreChoicesProps {
  control: ReportControl
  /** Opens the list of changes since the moment. */
  onChanges: (since: string) => void
  /** Closes the panel. */
  onDone: () => void
}

export function MoreChoices({ control, onChanges, onDone }: MoreChoicesProps) {
  const words = useReportWords()
  const { state, change } = control
  const close = (work: () => void) => {
    onDone()
    work()
  }
  return (
    <>
      <div className={classes.choices}>
        <Radio.Group
          label={words.activity}
          value={state.activity}
          onChange={(value) => change({ activity: ACTIVITIES.find((name) => name === value) ?? 'all' })}
        >
          {ACTIVITIES.map((name) => (
            <Radio key={name} size="xs" value={name} label={words.activities[name]} />
          ))}
        </Radio.Group>
        <Radio.Group
          label={words.baseline}
          value={state.baseLine}
          onChange={(value) => change({ baseLine: BASELINES.find((name) => name === value) ?? 'all' })}
        >
          {BASELINES.map((name) => (
            <Radio key={name} size="xs" value={name} label={words.baselines[name]} />
          ))}
        </Radio.Group>
      </div>
      <section aria-label={words.known.title}>
        <h2 className={classes.title}>{words.known.title}</h2>
        <KnownPanel
          knownAt={state.knownAt}
          onChange={(knownAt) => close(() => change({ knownAt }))}
          onChanges={(since) => close(() => onChanges(since))}
        />
      </section>
    </>
  )
}
