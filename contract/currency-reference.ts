// A currency in the answers of calls, as entities refer to it.
import { z } from 'zod'

/** `value` is the ISO 4217 code. */
export const currencyReference = z.object({ id: z.int(), title: z.string(), value: z.string() })
/** A currency in an answer, with its code. */
export type CurrencyReference = z.output<typeof currencyReference>

/** Amounts that lack a rate into the currency of the figure beside which they stand, each in its own currency. */
export const unratedAmounts = z.array(z.object({ currency: currencyReference, amount: z.string() }))
