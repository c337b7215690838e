// A long name in little room: its beginning, and the last words, in which names of one kind differ.

/** What is seen, what is left out, what is seen after it; null when all of it may be seen. Together they are the text. */
export function cutText(text: string, at: number): readonly [string, string, string] | null {
  const signs = Array.from(text)
  if (signs.length <= at) return null
  let tail = signs.length - Math.ceil(at / 2)
  // Whole words at the end, where there is one.
  if (signs[tail - 1] !== ' ') {
    const space = signs.indexOf(' ', tail)
    if (space >= 0 && space < signs.length - 1) tail = space + 1
  }
  let head = at - (signs.length - tail)
  while (head > 1 && signs[head - 1] === ' ') head -= 1
  return [signs.slice(0, head).join(''), signs.slice(head, tail).join(''), signs.slice(tail).join('')]
}
