// Breaks a name into lines that fit: at spaces where it has them, otherwise between letters. What is left over is cut.

const LETTERS = new Intl.Segmenter()
/** A word that is broken goes on with at least so many letters. */
const REST_LETTERS = 3

/** As much of the text as fits, at least one letter; `end` is counted to it. */
function fitting(letters: readonly string[], fits: (text: string) => boolean, end = ''): number {
  let count = letters.length
  while (count > 1 && !fits(letters.slice(0, count).join('') + end)) count -= 1
  return count
}

/** Where a line ends that breaks a word after `count` letters, or a little earlier. */
function endInWord(letters: readonly string[], count: number): number {
  const space = letters.indexOf(' ', count)
  const left = (space === -1 ? letters.length : space) - count
  const isWithin = left > 0 && left < REST_LETTERS && count > REST_LETTERS
  return letters.slice(0, isWithin ? count - (REST_LETTERS - left) : count).join('').length
}

export function breakName(name: string, lines: number, fits: (text: string) => boolean): string[] {
  let rest = name.trim()
  const broken: string[] = []
  while (rest !== '' && broken.length < lines) {
    const letters = [...LETTERS.segment(rest)].map(({ segment }) => segment)
    const count = fitting(letters, fits)
    if (count < letters.length && broken.length === lines - 1) {
      broken.push(
        `${letters
          .slice(0, fitting(letters, fits, '…'))
          .join('')
          .trimEnd()}…`,
      )
      break
    }
    const line = letters.slice(0, count).join('')
    const space = count < letters.length && letters[count] !== ' ' ? line.lastIndexOf(' ') : -1
    const taken = space > 0 ? line.slice(0, space) : line.slice(0, endInWord(letters, count))
    broken.push(taken.trimEnd())
    rest = rest.slice(taken.length).trimStart()
  }
  return broken
}
