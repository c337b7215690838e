// A figure of the plan, and the report that it comes from.
import { Link } from '@tanstack/react-router'
import { REPORT_SCREENS } from '@tributary/contract/reports/screen-address'
import { useTranslation } from 'react-i18next'
import { Count } from '../../ui/value.tsx'
import classes from './budget.module.css'

interface FigureLinkProps {
  name: string
  value: string
  /** Query of the general report; null where there is none: the month has not begun, or the person may not open it. */
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
