// A month on the wire: 'YYYY-MM'.
import { z } from 'zod'
import { isMonth } from './period.ts'

const MONTH = /^(?!0000)\d{4}-(0[1-9]|1[0-2])$/
export const monthSchema = z.string().regex(MONTH, { error: 'date_invalid' }).refine(isMonth, 'date_invalid')
