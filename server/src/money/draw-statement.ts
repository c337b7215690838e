// Draws a statement as PDF. Text is placed by hand: pdfkit's own table takes minutes for long statements.
import { fileURLToPath } from 'node:url'
import type { Language } from '@tributary/contract/language'
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
const PAGE = { width: 595.28, height: 841.89 }
const MARGIN = 36
const BOTTOM = PAGE.height - MARGIN - 16
const SIZE = 7.5
const LINE_HEIGHT = 10
const ROW_GAP = 3

interface Column {
  readonly x: number
  readonly width: number
  readonly isNumber: boolean
  readonly head: string
  readonly show: (line: DocumentLine) => string
}

type Pdf = InstanceType<typeof PDFDocument>

/** Returns the bytes of the file. */
export async function drawStatement(statement: StatementDocument, language: Language): Promise<Buffer> {
  const words = STATEMENT_WORDS[language]
  const pdf = new PDFDocument({
    size: 'A4',
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
  const columns = columnsOf(statement, language)
  let y = drawHead(pdf, statement, language)
  y = drawColumnHeads(pdf, columns, y)
  pdf.font('plain').fontSize(SIZE)
  for (const line of statement.lines) y = drawLine(pdf, columns, line, y)
  drawTotal(pdf, statement, language, y)
  drawPageNumbers(pdf, statement, language)
  pdf.end()
  await finished
  return Buffer.concat(chunks)
}

function columnsOf({ currency }: StatementDocument, language: Language): Column[] {
  const words = STATEMENT_WORDS[language]
  const kinds = words.kinds
  const specs: [width: number, isNumber: boolean, head: string, show: (line: DocumentLine) => string][] = [
    [62, false, '', ({ kind }) => kinds[kind]],
    [150, false, words.line, ({ title }) => title],
    [40, false, words.earned, ({ earned_month }) => earned_month ?? ''],
    [30, true, words.quantity, ({ quantity }) => (quantity === null ? '' : String(quantity))],
    [48, true, words.rate, showLineRate],
    [58, true, words.base, ({ base }) => (base === null ? '' : showAmount(base))],
    [66, true, words.amount, ({ amount, currency: own }) => `${showAmount(amount)} ${own}`],
    [34, true, words.fx, ({ fx_rate, currency: own }) => (own === currency ? '' : showRate(fx_rate))],
  ]
  let x = MARGIN
  const columns = specs.map(([width, isNumber, head, show]) => {
    const column = { x, width: width - 4, isNumber, head, show }
    x += width
    return column
  })
  const last = { x, width: PAGE.width - MARGIN - x, isNumber: true, head: `${words.total}, ${currency}` }
  return [...columns, { ...last, show: ({ total }: DocumentLine) => showAmount(total) }]
}

const showLineRate = ({ kind, rate }: DocumentLine): string => {
  if (rate === null) return ''
  return kind === 'cpa' ? showAmount(rate) : `${showRate(rate)} %`
}

function drawHead(pdf: Pdf, statement: StatementDocument, language: Language): number {
  const words = STATEMENT_WORDS[language]
  pdf.font('bold').fontSize(15)
  put(pdf, `${words.title} ${words.number} ${statement.number}`, MARGIN, MARGIN)
  let y = MARGIN + 28
  const facts: [string, string | null][] = [
    [words.month, statement.month],
    [words.partner, [statement.partner, statement.legal_name].filter(Boolean).join(', ')],
    [words.taxId, statement.tax_id],
    [words.approved, statement.approved_on],
    [words.due, statement.due_on],
    [words.method, statement.method],
    [words.currency, statement.currency],
  ]
  for (const [name, value] of facts) {
    if (value === null || value === '') continue
    pdf.font('plain').fontSize(9).fillColor('#555')
    put(pdf, name, MARGIN, y)
    pdf.fillColor('#000')
    for (const part of wrap(pdf, value, PAGE.width - 2 * MARGIN - 110)) {
      put(pdf, part, MARGIN + 110, y)
      y += 13
    }
  }
  return y + 10
}

function drawColumnHeads(pdf: Pdf, columns: readonly Column[], y: number): number {
  pdf.font('bold').fontSize(SIZE).fillColor('#000')
  for (const column of columns) putCell(pdf, column, column.head, y)
  const below = y + LINE_HEIGHT + 2
  pdf
    .moveTo(MARGIN, below)
    .lineTo(PAGE.width - MARGIN, below)
    .lineWidth(0.5)
    .strokeColor('#999')
    .stroke()
  pdf.font('plain').fontSize(SIZE)
  return below + ROW_GAP
}

function drawLine(pdf: Pdf, columns: readonly Column[], line: DocumentLine, top: number): number {
  const cells = columns.map((column) => {
    const text = column.show(line)
    return column.isNumber ? [text] : wrap(pdf, text, column.width)
  })
  const height = Math.max(...cells.map((parts) => parts.length)) * LINE_HEIGHT + ROW_GAP
  let y = top
  if (y + height > BOTTOM) {
    pdf.addPage()
    y = drawColumnHeads(pdf, columns, MARGIN)
  }
  for (const [index, column] of columns.entries())
    for (const [row, part] of (cells[index] ?? []).entries()) putCell(pdf, column, part, y + row * LINE_HEIGHT)
  return y + height
}

function drawTotal(pdf: Pdf, statement: StatementDocument, language: Language, top: number): void {
  const y = top + 40 > BOTTOM ? MARGIN : top
  if (y === MARGIN) pdf.addPage()
  pdf
    .moveTo(MARGIN, y)
    .lineTo(PAGE.width - MARGIN, y)
    .lineWidth(0.5)
    .strokeColor('#999')
    .stroke()
  pdf.font('bold').fontSize(10)
  const text = `${STATEMENT_WORDS[language].total}: ${showAmount(statement.total)} ${statement.currency}`
  put(pdf, text, PAGE.width - MARGIN - pdf.widthOfString(text), y + 8)
}

function drawPageNumbers(pdf: Pdf, { verify_url }: StatementDocument, language: Language): void {
  const words = STATEMENT_WORDS[language]
  const { count } = pdf.bufferedPageRange()
  for (let page = 0; page < count; page++) {
    pdf.switchToPage(page)
    pdf.font('plain').fontSize(7).fillColor('#555')
    const y = PAGE.height - MARGIN
    put(pdf, words.verify.replace('{url}', verify_url), MARGIN, y)
    const text = words.page.replace('{page}', String(page + 1)).replace('{pages}', String(count))
    put(pdf, text, PAGE.width - MARGIN - pdf.widthOfString(text), y)
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
