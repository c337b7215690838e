// Decodes the rows of a stream from JSONEachRow text to objects. It creates only short-lived objects, which are cheap to collect.

/** Bytes that are decoded to text at once, so that the text is small and short-lived. */
const PIECE_BYTES = 32 * 1024
const NEWLINE = 10

type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown

/** Integers with so many digits may not fit a double exactly. */
const MANY_DIGITS = /\d{16}/
const reviveExact: Reviver = (_key, value, { source }) =>
  typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source ?? '')
    ? BigInt(source ?? '')
    : value

/** Parses one row. Integers that a double cannot hold exactly become bigints. */
export function parseRow<T>(line: string): T {
  // The caller knows the shape of its select. The types of JSON.parse lack the third argument of a reviver.
  return (
    MANY_DIGITS.test(line) ? JSON.parse(line, reviveExact as Parameters<typeof JSON.parse>[1]) : JSON.parse(line)
  ) as T
}

/** Yields one row at a time, so that a slow consumer never holds all parsed rows of a block. */
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
