// Moments as the engine tells them, UTC without saying so.

/** '2026-03-01 12:00:00.000' → '2026-03-01T12:00:00.000Z'. */
export const isoOf = (text: string): string => `${text.replace(' ', 'T')}Z`
