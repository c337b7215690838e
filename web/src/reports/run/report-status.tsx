// How current a report is, in one pill of constant size: data up to a moment, being recomputed, or recomputed since. Its face reloads the
// report, its menu sets the refresh interval.
import { Loader, Menu, Tooltip } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconChevronDown, IconRefresh } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useReportWords } from '../../i18n/labels.ts'
import { formatClock } from '../../lib/date-format.ts'
import { businessToday, businessZone } from '../../state/profile-facts.ts'
import { useIsPhone } from '../../ui/narrow.ts'
import classes from '../report.module.css'
import own from './report-status.module.css'
import type { AnswerHeader, ReportLoad } from './use-report-query.ts'

type Load = Pick<
  ReportLoad<AnswerHeader, unknown>,
  'answer' | 'isFetching' | 'hasRefreshFailed' | 'refetch' | 'refresh' | 'notice'
>

interface ReportStatusProps {
  /** The last day of the report. */
  to: string
  load: Load
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

function usePillState({ answer, hasRefreshFailed, notice }: Load, clock: Clock) {
  const { t } = useTranslation('reports')
  const words = useReportWords()
  const isUpdating = notice.updating.length > 0
  const problems = [
    ...(isUpdating ? [`${notice.updating.join('. ')}. ${words.notice.inaccurate}`] : []),
    ...(answer?.warnings ?? []).map((warning) => words.warnings[warning]),
    ...(hasRefreshFailed ? [t(($) => $.status.failed, { time: clock(answer?.watermark) })] : []),
  ]
  const text = isUpdating
    ? words.notice.updating
    : notice.isUpdated
      ? words.notice.reload
      : t(($) => $.status.dataTo, { time: clock(answer?.watermark) })
  return { isUpdating, problems, text, minute: clock(answer?.watermark).replace(/:\d\d$/, '') }
}

export function ReportStatus({ to, load }: ReportStatusProps) {
  const words = useReportWords()
  const { seconds } = load.refresh
  const { answer, notice } = load
  const clock = (moment: string | undefined) => formatClock(moment, businessZone()) ?? '–'
  const isPhone = useIsPhone()
  const { isUpdating, problems, text, minute } = usePillState(load, clock)
  const isLive = answer !== undefined && to >= businessToday() && seconds > 0 && !load.hasRefreshFailed
  const look = isUpdating ? own.updating : notice.isUpdated ? own.outdated : ''
  return (
    <div className={`${own.pill} ${look}`}>
      <Tooltip
        disabled={answer === undefined && problems.length === 0}
        maw={340}
        label={
          <>
            {problems.map((problem) => (
              <p key={problem} className={own.problem}>
                {problem}
              </p>
            ))}
            {notice.isUpdated ? <p className={own.problem}>{words.notice.updated}</p> : null}
            {answer ? <SourceAges answer={answer} clock={clock} /> : null}
          </>
        }
      >
        <button
          type="button"
          className={own.face}
          aria-label={`${text}. ${words.status.refreshNow}`}
          onClick={load.refetch}
        >
          {isUpdating ? (
            <Loader size={12} color="currentColor" aria-hidden />
          ) : problems.length > 0 ? (
            <IconAlertTriangle size={14} className={own.warning} aria-hidden />
          ) : notice.isUpdated ? (
            <IconRefresh size={14} aria-hidden />
          ) : (
            <span key={answer?.built_at} className={isLive ? `${own.pulse} ${own.live}` : own.pulse} aria-hidden />
          )}
          <span className={answer || isUpdating ? undefined : own.waiting}>{isPhone ? minute : text}</span>
        </button>
      </Tooltip>
      <span role="status" className={classes.srOnly}>
        {[...problems, notice.isUpdated ? words.notice.updated : ''].join(' ')}
      </span>
      <RefreshMenu to={to} load={load} problems={problems} />
    </div>
  )
}

function RefreshMenu({ to, load, problems }: ReportStatusProps & { problems: readonly string[] }) {
  const words = useReportWords()
  const { seconds, setSeconds, choices } = load.refresh
  const choiceLabels: Readonly<Record<number, string>> = {
    0: words.status.every_off,
    10: words.status.every_10,
    60: words.status.every_60,
  }
  return (
    <Menu position="bottom-end" width="max-content">
      <Menu.Target>
        <button type="button" className={own.more} aria-label={words.status.refresh}>
          <IconRefresh size={14} className={load.isFetching ? own.spinning : undefined} aria-hidden />
          <IconChevronDown size={12} className={classes.pickerMark} aria-hidden />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {problems.map((problem) => (
          <p key={problem} className={classes.note}>
            {problem}
          </p>
        ))}
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
        {to >= businessToday() ? null : <p className={classes.note}>{words.status.past}</p>}
      </Menu.Dropdown>
    </Menu>
  )
}
