// The freshness of a report: the moment up to which data is complete, the missing sources, and the refresh interval.
import { Menu, Tooltip } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconChevronDown, IconRefresh } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useReportWords } from '../../i18n/labels.ts'
import { formatClock } from '../../lib/date-format.ts'
import { businessToday, businessZone } from '../../state/profile-facts.ts'
import classes from '../report.module.css'
import own from './report-status.module.css'
import type { AnswerHeader, ReportLoad } from './use-report-query.ts'

interface ReportStatusProps {
  /** The last day of the report. */
  to: string
  load: Pick<ReportLoad<AnswerHeader, unknown>, 'answer' | 'isFetching' | 'hasRefreshFailed' | 'refetch' | 'refresh'>
}

type Clock = (moment: string | undefined) => string

/** The freshness of each source; the report is as fresh as its oldest source. */
function SourceAges({ answer, clock }: { answer: AnswerHeader; clock: Clock }) {
  const { t } = useTranslation('reports')
  const { clicks, players, spends } = answer.sources
  return (
    <>
      {t(($) => $.ages.title)}
      <br />
      {t(($) => $.ages.clicks)} — {clock(clicks)}
      <br />
      {t(($) => $.ages.players)} — {clock(players)}
      <br />
      {t(($) => $.ages.spends)} — {clock(spends)}
      <br />
      {t(($) => $.ages.built, { time: clock(answer.built_at) })}
    </>
  )
}

export function ReportStatus({ to, load }: ReportStatusProps) {
  const { t } = useTranslation('reports')
  const words = useReportWords()
  const { seconds, setSeconds, choices } = load.refresh
  const { answer } = load
  const clock = (moment: string | undefined) => formatClock(moment, businessZone()) ?? '–'
  const isRunning = to >= businessToday()
  const choiceLabels: Readonly<Record<number, string>> = {
    0: words.status.every_off,
    10: words.status.every_10,
    60: words.status.every_60,
  }
  const problems = [
    ...(answer?.warnings ?? []).map((warning) => words.warnings[warning]),
    ...(load.hasRefreshFailed ? [t(($) => $.status.failed, { time: clock(answer?.watermark) })] : []),
  ]
  return (
    <div className={own.status}>
      {problems.map((problem) => (
        <Tooltip key={problem} label={problem} maw={320}>
          <span className={own.warning} role="img" aria-label={problem}>
            <IconAlertTriangle size={16} aria-hidden />
          </span>
        </Tooltip>
      ))}
      {answer ? (
        <Tooltip label={<SourceAges answer={answer} clock={clock} />} maw={320}>
          <span className={own.watermark}>
            <span
              className={isRunning && seconds > 0 && !load.hasRefreshFailed ? `${own.pulse} ${own.live}` : own.pulse}
              key={answer.built_at}
              aria-hidden
            />
            {t(($) => $.status.dataTo, { time: clock(answer.watermark) })}
          </span>
        </Tooltip>
      ) : (
        // Reserves the space, so that nothing moves when the answer arrives.
        <span className={own.watermark} style={{ visibility: 'hidden' }} aria-hidden>
          <span className={own.pulse} />
          {t(($) => $.status.dataTo, { time: '00:00:00' })}
        </span>
      )}
      <Menu position="bottom-end" width="max-content">
        <Menu.Target>
          <button type="button" className={`${classes.picker} ${own.refresh}`} aria-label={words.status.refresh}>
            <IconRefresh size={15} className={load.isFetching ? own.spinning : undefined} aria-hidden />
            <IconChevronDown size={13} className={`${classes.pickerMark} ${own.mark}`} aria-hidden />
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={load.refetch}>{words.status.refreshNow}</Menu.Item>
          <Menu.Divider />
          <Menu.Label>{words.status.autoRefresh}</Menu.Label>
          {choices.map((choice) => (
            <Menu.Item
              key={choice}
              rightSection={choice === seconds ? <IconCheck size={14} aria-hidden /> : null}
              onClick={() => setSeconds(choice)}
            >
              {choiceLabels[choice]}
            </Menu.Item>
          ))}
          {isRunning ? null : <p className={classes.note}>{words.status.past}</p>}
        </Menu.Dropdown>
      </Menu>
    </div>
  )
}
