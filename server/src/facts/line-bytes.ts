// Collects many lines as bytes, because a long list of strings costs the garbage collector much more.

/** Lines collected as bytes. */
export interface LineBytes {
  readonly count: number
  /** `line` has no line feed. */
  add(line: string): void
  finish(): Buffer
}

const PIECE_LENGTH = 64 * 1024

/** Collects lines as bytes without one string of all of them. */
export function createLineBytes(): LineBytes {
  const pieces: Buffer[] = []
  let text = ''
  let count = 0
  const flush = (): void => {
    pieces.push(Buffer.from(text))
    text = ''
  }
  return {
    get count() {
      return count
    },
    add(line) {
      count++
      text += `${line}\n`
      if (text.length >= PIECE_LENGTH) flush()
    },
    finish() {
      flush()
      return Buffer.concat(pieces)
    },
  }
}
