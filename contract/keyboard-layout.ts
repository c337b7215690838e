// Text typed in the wrong keyboard layout: 'тщкерцштв' is 'northwind', typed while the Russian layout was on.
const LATIN = "`qwertyuiop[]asdfghjkl;'zxcvbnm,.".split('')
const CYRILLIC = 'ёйцукенгшщзхъфывапролджэячсмитьбю'.split('')

const toLatin = new Map(CYRILLIC.map((letter, index) => [letter, LATIN[index] ?? letter]))
const toCyrillic = new Map(LATIN.map((letter, index) => [letter, CYRILLIC[index] ?? letter]))

/** The text as the other layout would have typed it; null if it has letters of both or of neither. */
export function inOtherLayout(text: string): string | null {
  const lower = text.toLowerCase()
  const [hasLatin, hasCyrillic] = [/[a-z]/.test(lower), /[а-яё]/.test(lower)]
  if (hasLatin === hasCyrillic) return null
  const letters = hasLatin ? toCyrillic : toLatin
  return lower.replace(/./gu, (letter) => letters.get(letter) ?? letter)
}
