// The query of a request as clean texts: wrong encodings and control characters make the whole query unusable; texts are cut to their caps.

/** null when the encoding is wrong or a control character hides in it. The first value of a name counts. */
export function readQuery(query: string): Map<string, string> | null {
  const values = new Map<string, string>()
  if (query === '') return values
  const isEncoded = query.includes('%')
  if (isEncoded && !isDecodable(query)) return null
  if (CONTROL.test(query)) return null
  for (const part of query.split('&')) {
    const equals = part.indexOf('=')
    const name = decode(equals < 0 ? part : part.slice(0, equals), isEncoded)
    if (name !== '' && !values.has(name)) values.set(name, equals < 0 ? '' : decode(part.slice(equals + 1), isEncoded))
  }
  return values
}

const ENCODED_CONTROL = /%(?:[01][0-9a-f]|7f|c2%[89][0-9a-f])/i
const CONTROL = /\p{Cc}/u
const CONTROLS = /\p{Cc}/gu

function isDecodable(query: string): boolean {
  if (ENCODED_CONTROL.test(query)) return false
  try {
    decodeURIComponent(query)
    return true
  } catch {
    return false
  }
}

function decode(text: string, isEncoded: boolean): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text
  return isEncoded ? decodeURIComponent(spaced) : spaced
}

/** Without control characters and lone surrogates, at most `cap` long; null when nothing is left. */
export function cleanText(text: string | undefined, cap: number): string | null {
  if (text === undefined || text === '') return null
  const printable = CONTROL.test(text) ? text.replace(CONTROLS, '') : text
  const short = printable.length > cap ? printable.slice(0, cap) : printable
  return (short.isWellFormed() ? short : short.toWellFormed()).trim() || null
}
