// Counts the typing errors in a word, for screens and actions, which are searched in the browser.

const [SHORTEST_WITH_ONE, SHORTEST_WITH_TWO] = [4, 6]

/** How many errors a word of this length may have. */
export const allowedErrors = (typed: string): number =>
  typed.length >= SHORTEST_WITH_TWO ? 2 : typed.length >= SHORTEST_WITH_ONE ? 1 : 0

/**
 * How many letters of `typed` are wrong, missing, added or exchanged with their neighbour, compared with the beginning of `own` that fits
 * best.
 */
export function errorsIn(own: string, typed: string): number {
  const width = Math.min(own.length, typed.length + allowedErrors(typed))
  let before: number[] = []
  let last = Array.from({ length: width + 1 }, (_, at) => at)
  for (let row = 1; row <= typed.length; row++) {
    const next = [row]
    for (let at = 1; at <= width; at++) {
      const isSame = typed[row - 1] === own[at - 1]
      const isSwapped = row > 1 && at > 1 && typed[row - 1] === own[at - 2] && typed[row - 2] === own[at - 1]
      next.push(
        Math.min(
          (last[at] ?? 0) + 1,
          (next[at - 1] ?? 0) + 1,
          (last[at - 1] ?? 0) + (isSame ? 0 : 1),
          isSwapped ? (before[at - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
    before = last
    last = next
  }
  return Math.min(...last)
}

/** True for a word that begins like another with at most one error. */
export const isNear = (own: string, typed: string): boolean =>
  typed.length >= SHORTEST_WITH_ONE && errorsIn(own, typed) <= 1
