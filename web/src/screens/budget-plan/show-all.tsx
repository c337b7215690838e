// The button below a list that shows its beginning: how many there are in all, and the rest of them.
import { useTranslation } from 'react-i18next'
import classes from './queues.module.css'

/** Rows that stand before the button. */
export const MORE_FROM = 8

interface ShowAllProps {
  count: number
  isWhole: boolean
  onToggle: () => void
}

export function ShowAll({ count, isWhole, onToggle }: ShowAllProps) {
  const { t } = useTranslation()
  if (count <= MORE_FROM) return null
  return (
    <button type="button" className={classes.all} aria-expanded={isWhole} onClick={onToggle}>
      {isWhole ? t(($) => $.budget.showLess) : t(($) => $.budget.showAll, { count })}
    </button>
  )
}
