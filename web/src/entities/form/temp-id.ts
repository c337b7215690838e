// Names for what the server has not numbered yet: `temp_` and 16 random characters for a new row, 8 characters for a line on the screen.

const SIGNS = 'abcdefghijklmnopqrstuvwxyz0123456789'

function randomText(length: number): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(length)), (number) => SIGNS[number % SIGNS.length]).join('')
}

export const makeTempId = (): string => `temp_${randomText(16)}`
/** The name of one attempt to create something. */
export const makeOnceKey = (): string => randomText(24)
export const makeRowKey = (): string => randomText(8)
