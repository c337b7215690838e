// What a save says: its outcome, the first warnings of the server, and how many more there are.
import i18next from 'i18next'

export const WARNINGS_SHOWN = 3

export function withWarnings(outcome: string, warnings: readonly { readonly message: string }[]): string {
  const more = warnings.length - WARNINGS_SHOWN
  return [
    outcome,
    ...warnings.slice(0, WARNINGS_SHOWN).map(({ message }) => message),
    ...(more > 0 ? [i18next.t(($) => $.spends.table.moreWarnings, { count: more })] : []),
  ].join('. ')
}
