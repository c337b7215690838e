// Draws a statement as PDF. Text is placed by hand: pdfkit's own table takes minutes for long statements.
import { setImmediate } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Language } from '@tributary/contract/language'
import { formatDay, formatMonth } from '@tributary/contract/period'
import PDFDocument from 'pdfkit'
import {
  type DocumentLine,
  STATEMENT_WORDS,
  type StatementDocument,
  showAmount,
  showFee,
  showRate,
  showRounding,
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
const FACT_HEIGHT = 13
const TOTAL_HEIGHT = 40

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

/** A line of the head. */
interface Fact {
  readonly name: string
  readonly parts: readonly string[]
}

interface Row {
  /** The lines of text of each column. */
  readonly cells: readonly (readonly string[])[]
  readonly height: number
}

/** Returns the bytes of the file. */
export async function drawStatement(statement: StatementDocument, language: Language): Promise<Buffer> {
  const words = STATEMENT_WORDS[language]
  const pdf = new PDFDocument({
    autoFirstPage: false,
    margin: 0,
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
  await drawPages(pdf, statement, language)
  pdf.end()
  await finished
  return Buffer.concat(chunks)
}

/** Rows are shared out among pages before they are drawn: each page names their number, and leaves the memory when the next one begins. */
async function drawPages(pdf: Pdf, statement: StatementDocument, language: Language): Promise<void> {
  const layout = layOut(pdf, statement, language)
  const { columns, size } = layout
  const facts = factsOf(pdf, layout, statement, language)
  const heads = headsOf(pdf, layout)
  pdf.font('plain').fontSize(size)
  const rows = statement.lines.map((line): Row => {
    const cells = columns.map(({ isTitle, show, width }) => (isTitle ? wrap(pdf, show(line), width) : [show(line)]))
    return { cells, height: heightOf(cells) + ROW_GAP }
  })
  const [first, ...others] = shareOut(rows, {
    first: bottomOf(layout) - MARGIN - heightOfHead(facts) - heads.height,
    other: bottomOf(layout) - MARGIN - heads.height,
  })
  const pages = [first ?? [], ...others]
  for (const [index, page] of pages.entries()) {
    pdf.addPage({ size: [layout.width, layout.height], margin: 0 })
    const isLast = index === pages.length - 1
    let y = index === 0 ? drawHead(pdf, facts, statement, language) : MARGIN
    if (page.length > 0 || index === 0) y = drawColumnHeads(pdf, layout, heads, y)
    for (const row of page) y = drawRow(pdf, layout, row, y)
    if (isLast) drawTotal(pdf, layout, statement, language, y)
    drawFooter(pdf, layout, statement, language, { page: index + 1, pages: pages.length })
    // pdfkit compresses and hands over the page before when the event loop runs.
    await setImmediate()
  }
}

const heightOf = (cells: Row['cells']): number => Math.max(...cells.map((parts) => parts.length)) * LINE_HEIGHT

/** Shares rows out among pages with so much room. The total stands on a page of its own if the last one has no room for it. */
function shareOut(rows: readonly Row[], room: { readonly first: number; readonly other: number }): Row[][] {
  let page: Row[] = []
  const pages = [page]
  let left = room.first
  const turn = (): void => {
    page = []
    pages.push(page)
    left = room.other
  }
  for (const row of rows) {
    if (row.height > left) turn()
    page.push(row)
    left -= row.height
  }
  if (left < TOTAL_HEIGHT) turn()
  return pages
}

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
    {
      ...column(false, words.line, (line) =>
        [line.title, showFee(line, words), showRounding(line, words)].filter(Boolean).join(' · '),
      ),
      isTitle: true,
    },
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

function factsOf(pdf: Pdf, { width }: Layout, statement: StatementDocument, language: Language): Fact[] {
  const words = STATEMENT_WORDS[language]
  const facts: [string, string | null][] = [
    [words.issuer, statement.issuer],
    [words.month, formatMonth(statement.month, language)],
    [words.partner, [statement.partner, statement.legal_name].filter(Boolean).join(', ')],
    [words.taxId, statement.tax_id],
    [words.approved, formatDay(statement.approved_on)],
    [words.due, statement.due_on === null ? null : formatDay(statement.due_on)],
    [words.method, statement.method],
    [words.account, statement.account],
    [words.currency, statement.currency],
  ]
  pdf.font('plain').fontSize(9)
  return facts.flatMap(([name, value]) =>
    value === null || value === '' ? [] : [{ name, parts: wrap(pdf, value, width - 2 * MARGIN - 110) }],
  )
}

const heightOfHead = (facts: readonly Fact[]): number =>
  28 + facts.reduce((height, { parts }) => height + parts.length * FACT_HEIGHT, 0) + 10

/** Returns where it ends, as all that draw do. */
function drawHead(pdf: Pdf, facts: readonly Fact[], { number }: StatementDocument, language: Language): number {
  const words = STATEMENT_WORDS[language]
  pdf.font('bold').fontSize(15).fillColor('#000')
  put(pdf, `${words.title} ${words.number} ${number}`, MARGIN, MARGIN)
  pdf.font('plain').fontSize(9)
  let y = MARGIN + 28
  for (const { name, parts } of facts) {
    pdf.fillColor('#555')
    put(pdf, name, MARGIN, y)
    pdf.fillColor('#000')
    for (const part of parts) {
      put(pdf, part, MARGIN + 110, y)
      y += FACT_HEIGHT
    }
  }
  return MARGIN + heightOfHead(facts)
}

function headsOf(pdf: Pdf, { columns, size }: Layout): Row {
  pdf.font('bold').fontSize(size)
  const cells = columns.map(({ head, width }) => wrap(pdf, head, width))
  return { cells, height: heightOf(cells) + 2 + ROW_GAP }
}

function drawColumnHeads(pdf: Pdf, layout: Layout, heads: Row, y: number): number {
  pdf.font('bold').fontSize(layout.size).fillColor('#000')
  const below = drawRow(pdf, layout, heads, y)
  drawRule(pdf, layout.width, below - ROW_GAP)
  pdf.font('plain').fontSize(layout.size)
  return below
}

function drawRow(pdf: Pdf, { columns }: Layout, { cells, height }: Row, y: number): number {
  for (const [index, column] of columns.entries())
    for (const [line, part] of (cells[index] ?? []).entries()) putCell(pdf, column, part, y + line * LINE_HEIGHT)
  return y + height
}

function drawRule(pdf: Pdf, width: number, y: number): void {
  pdf
    .moveTo(MARGIN, y)
    .lineTo(width - MARGIN, y)
    .lineWidth(0.5)
    .strokeColor('#999')
    .stroke()
}

function drawTotal(pdf: Pdf, { width }: Layout, statement: StatementDocument, language: Language, y: number): void {
  drawRule(pdf, width, y)
  pdf.font('bold').fontSize(10).fillColor('#000')
  const text = `${STATEMENT_WORDS[language].total}: ${showAmount(statement.total)} ${statement.currency}`
  put(pdf, text, width - MARGIN - pdf.widthOfString(text), y + 8)
}

function drawFooter(
  pdf: Pdf,
  { width, height }: Layout,
  { verify_url }: StatementDocument,
  language: Language,
  { page, pages }: { readonly page: number; readonly pages: number },
): void {
  const words = STATEMENT_WORDS[language]
  pdf.font('plain').fontSize(7).fillColor('#555')
  const y = height - MARGIN
  put(pdf, words.verify.replace('{url}', verify_url), MARGIN, y)
  const text = words.page.replace('{page}', String(page)).replace('{pages}', String(pages))
  put(pdf, text, width - MARGIN - pdf.widthOfString(text), y)
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
