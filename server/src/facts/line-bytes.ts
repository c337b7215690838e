// Collects many lines as bytes: short-lived strings cost the garbage collector little, long lists of strings a lot.

export interface LineBytes {
  readonly count: number
  /** The line without its line feed. */
  add(line: string): void
  finish(): Buffer
}

const PIECE = 64 * 1024

export function createLineBytes(): LineBytes {
  const pieces: Buffer[] = []
  let text = ''
  let count = 0
  const cut = (): void => {
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
      if (text.length >= PIECE) cut()
    },
    finish() {
      cut()
      return Buffer.concat(pieces)
    },
  }
}
