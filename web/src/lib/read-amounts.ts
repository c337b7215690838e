// Reads amounts that people type or paste from spreadsheets: '1 234,50', '1,234.50', '12.5'. What could be two amounts is not guessed.

const SPACES = /[\s\u00a0\u2009\u202f'’]/g
/** Thousands are parted into groups of three; other spaces inside make a number doubtful. */
const SPACE_GROUPS = /^[-\u2212]?\d{1,3}(?:[\s\u00a0\u2009\u202f'’]\d{3})+(?:[.,]\d*)?$/
const PLAIN = /^(?:\d+(?:[.,]\d*)?|[.,]\d+)$/
const COMMA_GROUPS = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/
const DOT_GROUPS = /^\d{1,3}(?:\.\d{3})+(?:,\d+)?$/
/** '1,234' or '1.234'. */
const TWO_WAYS = /^[1-9]\d{0,2}([.,])\d{3}$/

/** The sign before decimals; null where the texts do not tell. */
export type DecimalSign = '.' | ',' | null

/** What a typed or pasted text stands for: an amount of any size, nothing, or why it is neither. */
export type ReadAmount = { readonly base: string | null } | { readonly problem: 'not_amount' | 'two_ways' | 'negative' }

/** `sign` decides texts like '1,234'. */
export function readAmount(text: string, sign: DecimalSign = null): ReadAmount {
  const bare = withoutSpaces(text)
  if (bare === '') return { base: null }
  if (/^[-\u2212]\d/.test(bare)) return { problem: 'negative' }
  const between = TWO_WAYS.exec(bare)?.[1]
  if (between !== undefined) {
    // A sign with three digits after it may part thousands or decimals.
    if (sign === null) return { problem: 'two_ways' }
    return { base: between === sign ? bare.replace(',', '.') : bare.replace(/[.,]/g, '') }
  }
  if (PLAIN.test(bare)) return { base: plainDecimal(bare) }
  if (COMMA_GROUPS.test(bare)) return { base: bare.replaceAll(',', '') }
  if (DOT_GROUPS.test(bare)) return { base: bare.replaceAll('.', '').replace(',', '.') }
  return { problem: 'not_amount' }
}

function withoutSpaces(text: string): string {
  const bare = text.trim()
  return SPACE_GROUPS.test(bare) ? bare.replace(SPACES, '') : bare
}

/** '12,' → '12', ',5' → '0.5' */
function plainDecimal(text: string): string {
  const [whole = '', fraction = ''] = text.split(/[.,]/)
  return fraction === '' ? whole : `${whole || '0'}.${fraction}`
}

/** The decimal sign that some texts show beyond doubt; null if there is none, or if they contradict each other. */
export function findDecimalSign(texts: Iterable<string>): DecimalSign {
  const signs = new Set<'.' | ','>()
  for (const text of texts) {
    const bare = withoutSpaces(text)
    if (TWO_WAYS.test(bare)) continue
    const last = /([.,])\d*$/.exec(bare)?.[1]
    if ((last === '.' || last === ',') && isAmount(bare)) {
      const isGroup = new RegExp(`\\${last}\\d{3}$`).test(bare) && bare.split(last).length > 2
      signs.add(isGroup ? (last === '.' ? ',' : '.') : last)
    }
  }
  const [first, ...others] = signs
  return first === undefined || others.length > 0 ? null : first
}

const isAmount = (bare: string): boolean => PLAIN.test(bare) || COMMA_GROUPS.test(bare) || DOT_GROUPS.test(bare)

/** The cells of a copied range. Spreadsheets end lines with CRLF or LF, part cells by tabs, and quote cells with line ends. */
export function parseClipboard(text: string): string[][] {
  const rows: string[][] = [[]]
  let cell = ''
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]
    if (isQuoted) {
      if (sign !== '"') cell += sign
      else if (text[at + 1] === '"') {
        cell += '"'
        at++
      } else isQuoted = false
    } else if (sign === '"' && cell === '') isQuoted = true
    else if (sign === '\t') {
      rows.at(-1)?.push(cell)
      cell = ''
    } else if (sign === '\n') {
      rows.at(-1)?.push(cell)
      rows.push([])
      cell = ''
    } else if (sign !== '\r') cell += sign
  }
  rows.at(-1)?.push(cell)
  // The last line end closes the last row.
  if (rows.length > 1 && rows.at(-1)?.join('') === '') rows.pop()
  return rows
}
