// Shows the chart over the table, or takes it away.
import { ActionIcon, Tooltip } from '@mantine/core'
import { IconChartHistogram } from '@tabler/icons-react'
import { useReportWords } from '../../i18n/labels.ts'

export function ChartToggle({ isShown, onToggle }: { isShown: boolean; onToggle: () => void }) {
  const words = useReportWords()
  const label = isShown ? words.chart.hide : words.chart.show
  return (
    <Tooltip label={label}>
      <ActionIcon
        size={30}
        aria-label={label}
        aria-pressed={isShown}
        variant={isShown ? 'light' : 'default'}
        onClick={onToggle}
      >
        <IconChartHistogram size={16} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}
