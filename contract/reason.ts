// Why somebody takes a step, in their own words.
import { z } from 'zod'
import { CONTROL } from './validate.ts'

const isPlain = (text: string): boolean => !CONTROL.test(text)
const text = z.string({ error: 'required' }).trim()

/** A reason that must be given: 1 to 1,000 characters, without control characters. */
export const requiredReason = text.min(1, 'required').max(1000, 'too_long').refine(isPlain, 'control_characters')

/** A reason that may be given: at most 1,000 characters, without control characters. */
export const optionalReason = text.max(1000, 'too_long').refine(isPlain, 'control_characters').optional()

/** The body of a step for which a reason may be given. The audit log keeps it. */
export const optionalReasonBody = z.strictObject({ reason: optionalReason }).optional()
