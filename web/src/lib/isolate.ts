// Names that are written from right to left, inside of texts that are not.

const RIGHT_TO_LEFT = /[\u0590-\u08ff]/

/** Keeps such a name from reordering the digits and signs around it. Other texts stay as they are. */
export const isolate = (text: string): string => (RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text)

/** Texts in one line, each with its own direction of writing. */
export const joinTexts = (texts: readonly string[]): string => texts.map(isolate).join(' · ')
