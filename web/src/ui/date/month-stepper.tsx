// Shows a month between two buttons that go to the previous and to the next one.
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { formatMonth, monthAfter, monthBefore } from '@tributary/contract/period'
import { useTranslation } from 'react-i18next'
import { currentLanguage } from '../../i18n/language.ts'
import { IconButton } from '../icon-button.tsx'
import classes from './month-stepper.module.css'

interface MonthStepperProps {
  /** 'YYYY-MM' */
  month: string
  onChange: (month: string) => void
}

export function MonthStepper({ month, onChange }: MonthStepperProps) {
  const { t } = useTranslation()
  return (
    <fieldset className={classes.month} aria-label={t(($) => $.period.month)}>
      <IconButton
        label={t(($) => $.period.previousMonth)}
        icon={IconChevronLeft}
        variant="default"
        size={34}
        onClick={() => onChange(monthBefore(month))}
      />
      <output className={classes.name}>{formatMonth(`${month}-01`, currentLanguage())}</output>
      <IconButton
        label={t(($) => $.period.nextMonth)}
        icon={IconChevronRight}
        variant="default"
        size={34}
        onClick={() => onChange(monthAfter(month))}
      />
    </fieldset>
  )
}
