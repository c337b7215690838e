// A figure of the plan as a link to its report.
import { Link } from '@tanstack/react-router'
import { REPORT_SCREENS } from '@tributary/contract/reports/screen-address'
import { useTranslation } from 'react-i18next'
import { Count } from '../../ui/value.tsx'
import classes from './budget.module.css'

interface FigureLinkProps {
  name: string
  value: string
  /** Address parameters of the general report; null if the month has not begun or the user may not open the report. */
  search: Record<string, unknown> | null
}

export function FigureLink({ name, value, search }: FigureLinkProps) {
  const { t } = useTranslation()
  if (search === null) return <Count value={value} />
  return (
    <Link
      to={REPORT_SCREENS.general_report}
      search={() => search}
      className={classes.figure ?? ''}
      title={t(($) => $.budget.openReport, { name })}
    >
      <Count value={value} />
    </Link>
  )
}
