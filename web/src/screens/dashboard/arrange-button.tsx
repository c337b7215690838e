// The button that arranges the dashboard: which sections and tiles it has, and in which order. The server keeps that.
import { Button, Popover } from '@mantine/core'
import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import type { MetricName } from '@tributary/contract/reports/traffic'
import { useTranslation } from 'react-i18next'
import { savePreferences, usePreferences } from '../../data/user-preferences.ts'
import { useReportWords } from '../../i18n/labels.ts'
import type { ColumnChoice } from '../../reports/columns/column-choice.ts'
import { ColumnChooser } from '../../reports/columns/column-chooser.tsx'
import report from '../../reports/report.module.css'
import classes from './arrange-button.module.css'
import type { DashboardSection } from './dashboard-screen.tsx'

interface ArrangeButtonProps {
  sections: readonly DashboardSection[]
  tiles: readonly MetricName[]
}

export function ArrangeButton({ sections, tiles }: ArrangeButtonProps) {
  const { t } = useTranslation()
  const words = useReportWords()
  const { dashboard } = usePreferences()
  const arrange =
    (part: keyof typeof dashboard) =>
    ({ order, hidden }: ColumnChoice) =>
      void savePreferences((now) => ({
        dashboard: { ...now.dashboard, [part]: { order: [...order], hidden: [...hidden] } },
      }))
  const sectionLabels: Record<DashboardSection, string> = {
    tiles: t(($) => $.dashboard.keyNumbers),
    alerts: t(($) => $.alerts.title),
    efficiency: t(($) => $.dashboard.efficiency),
    partners: t(($) => $.dashboard.topPartners),
    countries: t(($) => $.dashboard.topCountries),
  }
  const choosers = [
    { part: 'sections', title: t(($) => $.dashboard.sections), known: sections, labels: sectionLabels },
    { part: 'tiles', title: t(($) => $.dashboard.keyNumbers), known: tiles, labels: words.metrics },
  ] as const
  return (
    <Popover position="bottom-end">
      <Popover.Target>
        <Button
          variant="default"
          fw={450}
          aria-label={t(($) => $.dashboard.arrange)}
          classNames={{ root: report.action ?? '', section: report.actionIcon ?? '' }}
          leftSection={<IconAdjustmentsHorizontal size={15} aria-hidden />}
        >
          <span className={report.actionLabel}>{t(($) => $.dashboard.arrange)}</span>
        </Button>
      </Popover.Target>
      <Popover.Dropdown p={10} className={classes.panel ?? ''}>
        {choosers.map(({ part, title, known, labels }) => (
          <fieldset key={part} className={classes.part}>
            <legend className={classes.title}>{title}</legend>
            <ColumnChooser
              known={known}
              labels={labels}
              choice={dashboard[part]}
              onChange={arrange(part)}
              onEdit={() => null}
            />
          </fieldset>
        ))}
      </Popover.Dropdown>
    </Popover>
  )
}
