// Keys for programs that call the API in someone's name.
import { z } from 'zod'
import { defineCall } from '../call.ts'
import { isDay } from '../period.ts'
import { isMoment } from '../validate.ts'

export const API_KEY_DAYS_MAX = 366

/** The row as it is read; the key itself is in this answer only. */
export const apiKeyCreate = defineCall({
  name: 'api_key_create',
  method: 'POST',
  path: 'api_key',
  access: 'everyone',
  sessionOnly: true,
  body: z.strictObject({
    title: z.string({ error: 'required' }).trim().min(1, 'required').max(255, 'value_invalid'),
    /** The last day on which it opens anything. */
    expires_on: z.string({ error: 'date_invalid' }).refine(isDay, 'date_invalid').optional(),
    /** The same to the moment; a day alone is that whole day. Without either it opens as long as any key may. */
    expires_at: z
      .string({ error: 'date_invalid' })
      .refine((text) => isDay(text) || isMoment(text), 'date_invalid')
      .nullish(),
  }),
  answer: z.looseObject({
    id: z.int(),
    title: z.string(),
    prefix: z.string(),
    expires_at: z.string(),
    key: z.string(),
  }),
  status: 201,
})
