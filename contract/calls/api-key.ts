// API keys: programs call the API as the key's owner.
import { z } from 'zod'
import { defineCall } from '../call.ts'
import { isDay } from '../period.ts'
import { isMoment } from '../validate.ts'

export const API_KEY_DAYS_MAX = 366

/** Returns the row. Only this answer contains the key itself. */
export const apiKeyCreate = defineCall({
  name: 'api_key_create',
  method: 'POST',
  path: 'api_key',
  access: 'everyone',
  sessionOnly: true,
  body: z.strictObject({
    title: z.string({ error: 'required' }).trim().min(1, 'required').max(255, 'value_invalid'),
    /** Last business day on which the key works. */
    expires_on: z.string({ error: 'date_invalid' }).refine(isDay, 'date_invalid').optional(),
    /** The same as an instant; a day includes the whole day. Without either, the key works for the longest allowed time. */
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
