// An active filter: a click edits it, the cross removes it.
import { IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './filter-chip.module.css'

interface FilterChipProps {
  name: string
  value: string
  /** Hides the name, where the value explains itself. */
  isNameless?: boolean
  onOpen?: (() => void) | undefined
  onRemove?: (() => void) | undefined
}

export function FilterChip({ name, value, isNameless = false, onOpen, onRemove }: FilterChipProps) {
  const { t } = useTranslation()
  return (
    <span className={classes.chip}>
      <button type="button" className={classes.open} onClick={onOpen} title={`${name}: ${value}`}>
        {isNameless ? null : <span className={classes.name}>{name}</span>}
        <span className={classes.value}>{value}</span>
      </button>
      {onRemove ? (
        <button
          type="button"
          className={classes.remove}
          onClick={onRemove}
          aria-label={`${t(($) => $.actions.remove)}: ${name}`}
        >
          <IconX size={13} aria-hidden />
        </button>
      ) : null}
    </span>
  )
}

export function FilterChips({ children }: { children: ReactNode }) {
  return <div className={classes.chips}>{children}</div>
}
