// What a caught value says, on one line: anything can be thrown.

export const textOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/\s*\n\s*/g, ' ')
