// What the report counts: the period, the second period, the levels, the activity and the baseline.
import type { RoleKind } from '@tributary/contract/access'
import { ACTIVITIES, BASELINES } from '@tributary/contract/reports/choices'
import { useReportWords } from '../../i18n/labels.ts'
import classes from '../../reports/report.module.css'
import { KnownPicker } from '../../reports/run/known-picker.tsx'
import { ChoiceMenu } from '../../reports/table/choice-menu.tsx'
import { DateRangePicker } from '../../ui/date/date-range-picker.tsx'
import { LevelPicker } from './level-picker.tsx'
import { SecondPeriodPicker } from './second-period-picker.tsx'
import type { ReportControl } from './use-report-state.ts'

interface ReportToolbarProps {
  control: ReportControl
  role: RoleKind
  onChanges: (since: string) => void
}

export function ReportToolbar({ control, role, onChanges }: ReportToolbarProps) {
  const words = useReportWords()
  const { state, change } = control
  return (
    <div className={classes.toolbar}>
      <div className={classes.group}>
        <DateRangePicker from={state.from} to={state.to} onChange={({ from, to }) => change({ from, to })} />
        <SecondPeriodPicker state={state} onChange={(second) => change({ second })} />
        <KnownPicker knownAt={state.knownAt} onChange={(knownAt) => change({ knownAt })} onChanges={onChanges} />
      </div>
      <LevelPicker
        role={role}
        levels={state.levels}
        onChange={(levels) => change({ levels, sort: keepSort(state.sort) })}
      />
      <div className={classes.group}>
        <ChoiceMenu
          label={words.activity}
          value={state.activity}
          isPlain={state.activity === 'all'}
          sections={[{ title: null, options: ACTIVITIES.map((name) => ({ name, label: words.activities[name] })) }]}
          onChoose={(activity) => change({ activity })}
        />
        <ChoiceMenu
          label={words.baseline}
          value={state.baseLine}
          isPlain={state.baseLine === 'all'}
          sections={[{ title: null, options: BASELINES.map((name) => ({ name, label: words.baselines[name] })) }]}
          onChoose={(baseLine) => change({ baseLine })}
        />
      </div>
    </div>
  )
}

/** Other groups have another order of their own. */
const keepSort = (sort: ReportControl['state']['sort']) => (sort?.by === 'group' ? null : sort)
