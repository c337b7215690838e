// Draws a statement as PDF. Text is placed by hand: pdfkit's own table takes minutes for long statements.
import { fileURLToPath } from 'node:url'
import type { Language } from '@tributary/contract/language'
import { formatDay, formatMonth } from '@tributary/contract/period'
import PDFDocument from 'pdfkit'
import {
  type DocumentLine,
  STATEMENT_WORDS,
  type StatementDocument,
  showAmount,
  showRate,
} from './statement-document.ts'

const FONTS = {
  plain: fileURLToPath(import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf')),
  bold: fileURLToPath(import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSansCondensed-Bold.ttf')),
}
const A4 = [595.28, 841.89] as const
const MARGIN = 36
/** Between two columns. */
const GUTTER = 8
/** The title's column is at least this wide; a page that leaves less is turned to landscape. */
const TITLE_WIDTH = 120
const SIZES = [7.5, 6.5, 5.5] as const
const LINE_HEIGHT = 10
const ROW_GAP = 3

interface Column {
  readonly x: number
  readonly width: number
  readonly isNumber: boolean
  /** Takes the width that the others leave, and is broken into lines. */
  readonly isTitle: boolean
  readonly head: string
  readonly show: (line: DocumentLine) => string
}

type Pdf = InstanceType<typeof PDFDocument>

interface Layout {
  readonly columns: readonly Column[]
  readonly width: number
  readonly height: number
  readonly size: number
}

/** Returns the bytes of the file. */
export async function drawStatement(statement: StatementDocument, language: Language): Promise<Buffer> {
  const words = STATEMENT_WORDS[language]
  const pdf = new PDFDocument({
    autoFirstPage: false,
    margin: 0,
    bufferPages: true,
    lang: language,
    info: { Title: `${words.title} ${statement.number}`, Author: 'Tributary' },
  })
  pdf.registerFont('plain', FONTS.plain).registerFont('bold', FONTS.bold)
  const chunks: Buffer[] = []
  const finished = new Promise<void>((resolve, reject) => {
    pdf.on('data', (chunk: Buffer) => chunks.push(chunk))
    pdf.on('end', resolve)
    pdf.on('error', reject)
  })
  const layout = layOut(pdf, statement, language)
  addPage(pdf, layout)
  let y = drawHead(pdf, layout, statement, language)
  y = drawColumnHeads(pdf, layout, y)
  for (const line of statement.lines) y = drawLine(pdf, layout, line, y)
  drawTotal(pdf, layout, statement, language, y)
  drawPageNumbers(pdf, layout, statement, language)
  pdf.end()
  await finished
  return Buffer.concat(chunks)
}

const addPage = (pdf: Pdf, { width, height }: Layout): unknown => pdf.addPage({ size: [width, height], margin: 0 })

const bottomOf = ({ height }: Layout): number => height - MARGIN - 16

/** Widths are those of the widest texts, and the title takes what is left: upright if it can, else across, else in smaller letters. */
function layOut(pdf: Pdf, statement: StatementDocument, language: Language): Layout {
  const specs = specsOf(statement, language)
  const [short, long] = A4
  for (const size of SIZES) {
    const widths = specs.map((spec) => (spec.isTitle ? 0 : widthOf(pdf, spec, statement.lines, size)))
    const taken = widths.reduce((sum, width) => sum + width + GUTTER, -GUTTER)
    const fits = (page: number): boolean => page - 2 * MARGIN - taken >= TITLE_WIDTH
    const width = fits(short) ? short : long
    if (!fits(width) && size !== SIZES.at(-1)) continue
    let x = MARGIN
    const columns = specs.map((spec, index): Column => {
      const own = spec.isTitle ? Math.max(width - 2 * MARGIN - taken, TITLE_WIDTH / 2) : (widths[index] ?? 0)
      const column = { ...spec, x, width: own }
      x += own + GUTTER
      return column
    })
    return { columns, width, height: width === short ? long : short, size }
  }
  throw new Error('a statement fits at the smallest size')
}

/** Of the widest text, and of the widest word of the heading, which may be broken at spaces. */
function widthOf(pdf: Pdf, { head, show }: Spec, lines: readonly DocumentLine[], size: number): number {
  pdf.font('bold').fontSize(size)
  const words = head.split(' ').map((word) => pdf.widthOfString(word))
  pdf.font('plain')
  const texts = [...new Set(lines.map(show))].map((text) => pdf.widthOfString(text))
  return [...words, ...texts].reduce((widest, width) => Math.max(widest, width), 0) + 0.5
}

type Spec = Omit<Column, 'x' | 'width'>

function specsOf({ currency }: StatementDocument, language: Language): Spec[] {
  const words = STATEMENT_WORDS[language]
  const column = (isNumber: boolean, head: string, show: Spec['show']): Spec => ({
    isNumber,
    isTitle: false,
    head,
    show,
  })
  return [
    column(false, '', ({ kind }) => words.kinds[kind]),
    { ...column(false, words.line, ({ title }) => title), isTitle: true },
    column(false, words.earned, ({ earned_month }) =>
      earned_month === null ? '' : formatMonth(earned_month, language),
    ),
    column(true, words.quantity, ({ quantity }) => (quantity === null ? '' : String(quantity))),
    column(true, words.rate, showLineRate),
    column(true, words.base, ({ base, currency: own }) => (base === null ? '' : `${showAmount(base)} ${own}`)),
    column(true, words.amount, ({ amount, currency: own }) => `${showAmount(amount)} ${own}`),
    column(true, words.fx, ({ fx_rate, currency: own }) => (own === currency ? '' : showRate(fx_rate))),
    column(true, `${words.total}, ${currency}`, ({ total }) => showAmount(total)),
  ]
}

const showLineRate = ({ kind, rate, currency }: DocumentLine): string => {
  if (rate === null) return ''
  return kind === 'cpa' ? `${showAmount(rate)} ${currency}` : `${showRate(rate)} %`
}

function drawHead(pdf: Pdf, { width }: Layout, statement: StatementDocument, language: Language): number {
  const words = STATEMENT_WORDS[language]
  pdf.font('bold').fontSize(15)
  put(pdf, `${words.title} ${words.number} ${statement.number}`, MARGIN, MARGIN)
  let y = MARGIN + 28
  const facts: [string, string | null][] = [
    [words.month, formatMonth(statement.month, language)],
    [words.partner, [statement.partner, statement.legal_name].filter(Boolean).join(', ')],
    [words.taxId, statement.tax_id],
    [words.approved, formatDay(statement.approved_on)],
    [words.due, statement.due_on === null ? null : formatDay(statement.due_on)],
    [words.method, statement.method],
    [words.currency, statement.currency],
  ]
  for (const [name, value] of facts) {
    if (value === null || value === '') continue
    pdf.font('plain').fontSize(9).fillColor('#555')
    put(pdf, name, MARGIN, y)
    pdf.fillColor('#000')
    for (const part of wrap(pdf, value, width - 2 * MARGIN - 110)) {
      put(pdf, part, MARGIN + 110, y)
      y += 13
    }
  }
  return y + 10
}

function drawColumnHeads(pdf: Pdf, { columns, width, size }: Layout, y: number): number {
  pdf.font('bold').fontSize(size).fillColor('#000')
  const heads = columns.map((column) => wrap(pdf, column.head, column.width))
  for (const [index, column] of columns.entries())
    for (const [row, part] of (heads[index] ?? []).entries()) putCell(pdf, column, part, y + row * LINE_HEIGHT)
  const below = y + Math.max(...heads.map((parts) => parts.length)) * LINE_HEIGHT + 2
  drawRule(pdf, width, below)
  pdf.font('plain').fontSize(size)
  return below + ROW_GAP
}

function drawRule(pdf: Pdf, width: number, y: number): void {
  pdf
    .moveTo(MARGIN, y)
    .lineTo(width - MARGIN, y)
    .lineWidth(0.5)
    .strokeColor('#999')
    .stroke()
}

function drawLine(pdf: Pdf, layout: Layout, line: DocumentLine, top: number): number {
  const cells = layout.columns.map((column) => {
    const text = column.show(line)
    return column.isTitle ? wrap(pdf, text, column.width) : [text]
  })
  const height = Math.max(...cells.map((parts) => parts.length)) * LINE_HEIGHT + ROW_GAP
  let y = top
  if (y + height > bottomOf(layout)) {
    addPage(pdf, layout)
    y = drawColumnHeads(pdf, layout, MARGIN)
  }
  for (const [index, column] of layout.columns.entries())
    for (const [row, part] of (cells[index] ?? []).entries()) putCell(pdf, column, part, y + row * LINE_HEIGHT)
  return y + height
}

function drawTotal(pdf: Pdf, layout: Layout, statement: StatementDocument, language: Language, top: number): void {
  const y = top + 40 > bottomOf(layout) ? MARGIN : top
  if (y === MARGIN) addPage(pdf, layout)
  drawRule(pdf, layout.width, y)
  pdf.font('bold').fontSize(10).fillColor('#000')
  const text = `${STATEMENT_WORDS[language].total}: ${showAmount(statement.total)} ${statement.currency}`
  put(pdf, text, layout.width - MARGIN - pdf.widthOfString(text), y + 8)
}

function drawPageNumbers(
  pdf: Pdf,
  { width, height }: Layout,
  { verify_url }: StatementDocument,
  language: Language,
): void {
  const words = STATEMENT_WORDS[language]
  const { count } = pdf.bufferedPageRange()
  for (let page = 0; page < count; page++) {
    pdf.switchToPage(page)
    pdf.font('plain').fontSize(7).fillColor('#555')
    const y = height - MARGIN
    put(pdf, words.verify.replace('{url}', verify_url), MARGIN, y)
    const text = words.page.replace('{page}', String(page + 1)).replace('{pages}', String(count))
    put(pdf, text, width - MARGIN - pdf.widthOfString(text), y)
  }
}

const put = (pdf: Pdf, text: string, x: number, y: number): unknown => pdf.text(text, x, y, { lineBreak: false })

function putCell(pdf: Pdf, { x, width, isNumber }: Column, text: string, y: number): void {
  if (text !== '') put(pdf, text, isNumber ? x + width - pdf.widthOfString(text) : x, y)
}

/** Lines no wider than `width`, broken at spaces, and inside words that are longer. */
function wrap(pdf: Pdf, text: string, width: number): string[] {
  if (pdf.widthOfString(text) <= width) return [text]
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (pdf.widthOfString(longer) <= width) {
      line = longer
      continue
    }
    if (line !== '') lines.push(line)
    line = word
    while (pdf.widthOfString(line) > width) {
      let end = line.length - 1
      while (end > 1 && pdf.widthOfString(line.slice(0, end)) > width) end--
      lines.push(line.slice(0, end))
      line = line.slice(end)
    }
  }
  return line === '' ? lines : [...lines, line]
}
