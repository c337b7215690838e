// A schema for long lists. Zod's own array describes every wrong item, which blocks the process for seconds if 20,000 are wrong.
import { z } from 'zod'
import { ISSUES_LISTED } from './limits.ts'

/**
 * An array of at most `max` items. `item` documents them and `isItem` checks them. The first wrong items become issues at their index;
 * `params.omitted` of the last one counts the others.
 */
export function listOf<T>(item: z.ZodType<T>, isItem: (value: unknown) => value is T, max: number): z.ZodType<T[]> {
  const list = z
    .array(z.unknown())
    .max(max)
    .superRefine((values, context) => {
      const wrong = values.flatMap((value, index) => (isItem(value) ? [] : [index]))
      const listed = wrong.slice(0, ISSUES_LISTED)
      const omitted = wrong.length - listed.length
      for (const index of listed) {
        const params = index === listed.at(-1) && omitted > 0 ? { params: { omitted } } : {}
        context.addIssue({ code: 'custom', path: [index], message: 'value_invalid', ...params })
      }
    })
  const { $schema: _, ...items } = z.toJSONSchema(item)
  // `isItem` has checked every item, and an array without issues is one of them.
  return list.meta({ items }) as unknown as z.ZodType<T[]>
}
