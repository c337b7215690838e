// Rows of a stream, from the text that the engine made of them (JSONEachRow) to objects, with as little left behind as can be: what a row is read
// from and what becomes of it are gone with the next collection of young garbage.

/** Text is made of so many bytes at once: short enough to die young. */
const PIECE_BYTES = 32 * 1024
const NEWLINE = 10

type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown

/** A whole number that a double may not hold. */
const LONG = /\d{16}/
const exact: Reviver = (_key, value, { source }) =>
  typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source ?? '')
    ? BigInt(source ?? '')
    : value

/** One row; whole numbers beyond those that a double holds are bigints. */
export function parseRow<T>(line: string): T {
  // The caller names the shape of its own select; the types of JSON.parse do not know the third argument of a reviver yet.
  return (LONG.test(line) ? JSON.parse(line, exact as Parameters<typeof JSON.parse>[1]) : JSON.parse(line)) as T
}

/** One row at a time, so that a consumer that waits between rows never holds the parsed form of a whole block. */
export function* decodeRows<T>(block: Uint8Array): Generator<T> {
  const bytes = Buffer.from(block.buffer, block.byteOffset, block.byteLength)
  for (let start = 0; start < bytes.length; ) {
    const newline = bytes.indexOf(NEWLINE, Math.min(start + PIECE_BYTES, bytes.length))
    const end = newline < 0 ? bytes.length : newline + 1
    yield* parseLines<T>(bytes.toString('utf8', start, end))
    start = end
  }
}

function* parseLines<T>(text: string): Generator<T> {
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start)
    const stop = end < 0 ? text.length : end
    if (stop > start) yield parseRow<T>(text.slice(start, stop))
    start = stop + 1
  }
}
