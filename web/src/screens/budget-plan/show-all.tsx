// The button below a shortened list: tells how many rows there are and shows all of them.
import { useTranslation } from 'react-i18next'
import classes from './queues.module.css'

/** Rows that a shortened list shows. */
export const SHORT_LIST_ROWS = 8

interface ShowAllProps {
  count: number
  isExpanded: boolean
  onToggle: () => void
}

export function ShowAll({ count, isExpanded, onToggle }: ShowAllProps) {
  const { t } = useTranslation()
  if (count <= SHORT_LIST_ROWS) return null
  return (
    <button type="button" className={classes.all} aria-expanded={isExpanded} onClick={onToggle}>
      {isExpanded ? t(($) => $.budget.showLess) : t(($) => $.budget.showAll, { count })}
    </button>
  )
}
