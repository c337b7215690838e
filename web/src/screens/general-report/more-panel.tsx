// The choices of the report that are rarely changed: activity, baseline, and the moment as of which it is known. What is chosen here shows
// as a chip below the bar.
import { ActionIcon, Popover } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useReportWords } from '../../i18n/labels.ts'
import { formatDateTime } from '../../lib/date-format.ts'
import { lazyComponent } from '../../lib/lazy-component.tsx'
import type { ExtraChip } from '../../reports/filter/active-filters.tsx'
import { businessZone } from '../../state/profile-facts.ts'
import classes from './more-panel.module.css'
import type { ReportState } from './report-state.ts'
import type { ReportControl } from './use-report-state.ts'

const MoreChoices = lazyComponent('more choices', async () => (await import('./more-choices.tsx')).MoreChoices)

interface MorePanelProps {
  control: ReportControl
  /** Opens the list of changes since the moment. */
  onChanges: (since: string) => void
}

const PLAIN = { activity: 'all', baseLine: 'all', knownAt: null } as const satisfies Partial<ReportState>
const CHOICES = Object.keys(PLAIN) as (keyof typeof PLAIN)[]

/** Chips of the choices that differ from the plain report. */
export function useMoreChips({ state, change }: ReportControl): ExtraChip[] {
  const { t } = useTranslation('reports')
  const words = useReportWords()
  const time = formatDateTime(state.knownAt ?? '', businessZone()) ?? ''
  const chips = {
    activity: { name: words.activity, value: words.activities[state.activity] },
    baseLine: { name: words.baseline, value: words.baselines[state.baseLine] },
    knownAt: { name: words.known.title, value: t(($) => $.known.asOf, { time }) },
  }
  return CHOICES.filter((choice) => state[choice] !== PLAIN[choice]).map((choice) => ({
    ...chips[choice],
    onRemove: () => change({ [choice]: PLAIN[choice] }),
  }))
}

export function MorePanel({ control, onChanges }: MorePanelProps) {
  const words = useReportWords()
  const [isOpen, setOpen] = useState(false)
  const changed = CHOICES.filter((choice) => control.state[choice] !== PLAIN[choice]).length
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" trapFocus>
      <Popover.Target>
        <ActionIcon
          variant={changed > 0 ? 'light' : 'default'}
          size={30}
          aria-label={words.more}
          onClick={() => (isOpen ? setOpen(false) : void MoreChoices.preload().then(() => setOpen(true)))}
        >
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown className={classes.panel ?? ''} aria-label={words.more}>
        <MoreChoices control={control} onChanges={onChanges} onDone={() => setOpen(false)} />
      </Popover.Dropdown>
    </Popover>
  )
}
