// Months as 'YYYY-MM'.
import { addDays } from '@tributary/contract/period'

export const isMonth = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-(0[1-9]|1[0-2])$/.test(value)

export const monthBefore = (month: string): string => addDays(`${month}-01`, -1).slice(0, 7)

export const lastDayOf = (month: string): string =>
  new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).toISOString().slice(0, 10)
