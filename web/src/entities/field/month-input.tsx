// The input of a month, whose first day is the value: a list of the months around the current one.
import { Select } from '@mantine/core'
import { formatMonth, monthAfter, monthBefore } from '@tributary/contract/period'
import type { ReactNode } from 'react'
import { currentLanguage } from '../../i18n/language.ts'
import { businessToday } from '../../state/profile-facts.ts'

interface MonthInputProps {
  label?: ReactNode
  'aria-label'?: string | undefined
  description?: ReactNode
  error?: ReactNode
  disabled: boolean
  withAsterisk: boolean
  /** 'YYYY-MM-DD' */
  value: string | null
  onChange: (value: string | null) => void
  onBlur?: (() => void) | undefined
}

const MONTHS_AROUND = 12

/** 'YYYY-MM', latest first. */
function monthsAround(month: string): string[] {
  let first = month
  for (let back = 0; back < MONTHS_AROUND; back++) first = monthBefore(first)
  const months = [first]
  while (months.length <= 2 * MONTHS_AROUND) months.unshift(monthAfter(months[0] ?? first))
  return months
}

export function MonthInput({ value, onChange, onBlur, ...field }: MonthInputProps) {
  const current = value?.slice(0, 7) ?? null
  const months = monthsAround(businessToday().slice(0, 7))
  const offered = current === null || months.includes(current) ? months : [current, ...months]
  return (
    <Select
      {...field}
      {...(onBlur === undefined ? {} : { onBlur })}
      searchable
      allowDeselect={false}
      data={offered.map((month) => ({ value: month, label: formatMonth(month, currentLanguage()) }))}
      value={current}
      onChange={(month) => onChange(month === null ? null : `${month}-01`)}
    />
  )
}
