// The buttons in the header of a report. On a phone its freshness stands beside the title, and the rest unfolds below.
import { ActionIcon } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useIsPhone } from '../../ui/narrow.ts'
import classes from './report-views.module.css'
import { ReportViews } from './report-views.tsx'

interface ReportActionsProps {
  /** The path of the report. */
  report: string
  /** How current it is. */
  status: ReactNode
  children: ReactNode
}

export function ReportActions({ report, status, children }: ReportActionsProps) {
  const { t } = useTranslation()
  const [isMore, setMore] = useState(false)
  const views = <ReportViews report={report} />
  if (!useIsPhone())
    return (
      <>
        {views}
        {status}
        {children}
      </>
    )
  return (
    <>
      {status}
      <ActionIcon
        size={30}
        aria-label={t(($) => $.actions.more)}
        variant={isMore ? 'light' : 'default'}
        aria-expanded={isMore}
        aria-controls="report-more"
        data-beside-title
        onClick={() => setMore(!isMore)}
      >
        <IconDots size={16} aria-hidden />
      </ActionIcon>
      <div id="report-more" className={classes.more} hidden={!isMore}>
        {views}
        <div className={classes.acts}>{children}</div>
      </div>
    </>
  )
}
