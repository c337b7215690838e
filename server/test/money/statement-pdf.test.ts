// The PDF of a statement, read back: every figure in the text layer, Cyrillic, long statements.
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { expect, test } from 'vitest'
import { type PdfTask, renderPdfs } from '../../src/money/render-pdf.ts'
import { type DocumentLine, STATEMENT_WORDS, showAmount, showRounding } from '../../src/money/statement-document.ts'
import { documentOf, lineOf } from './long-statement.ts'

async function readText(bytes: Buffer): Promise<{ pages: string[]; cells: string[] }> {
  const pdf = await getDocument({ data: new Uint8Array(bytes), useSystemFonts: false, verbosity: 0 }).promise
  const pages: string[] = []
  const cells: string[] = []
  for (let number = 1; number <= pdf.numPages; number++) {
    const { items } = await (await pdf.getPage(number)).getTextContent()
    const texts = items.flatMap((item) => ('str' in item ? [item.str] : []))
    pages.push(texts.join(' '))
    cells.push(...texts)
  }
  await pdf.loadingTask.destroy()
  return { pages, cells }
}

const render = async (task: PdfTask): Promise<Buffer> => (await renderPdfs([task]))[0] ?? Buffer.alloc(0)

test('the text of a PDF is that of its lines, in both languages, with months as screens show them [MON-15] [I18N-03]', async () => {
  const statement = documentOf(60)
  for (const language of ['en', 'ru'] as const) {
    const { pages, cells } = await readText(await render({ statement, language }))
    const text = pages.join(' ').replace(/\s+/g, ' ')
    expect(text).toContain('ООО «Ромашка»')
    expect(text).toContain('Tributary Media Ltd, Vilnius')
    expect(text).toContain('•••• 4321')
    expect(text).toContain(language === 'ru' ? 'Акт начислений № 17' : 'Statement No. 17')
    expect(text).toContain('1 234 567.90 EUR')
    expect(text).toContain(language === 'ru' ? 'Доля дохода' : 'Revenue share')
    expect(text).toContain(language === 'ru' ? 'окт. 2026' : 'Oct 2026')
    expect(text).not.toContain('2026-10')
    for (const [index, { kind, amount, currency, base, rate }] of statement.lines.entries()) {
      expect(cells).toContain(`${showAmount(amount)} ${currency}`)
      if (base !== null) expect(cells).toContain(`${showAmount(base)} ${currency}`)
      expect(cells).toContain(kind === 'cpa' ? `${showAmount(rate ?? '')} ${currency}` : '25 %')
      expect(text, `line ${index}`).toContain(`Оффер № ${index} ·`)
      if (kind === 'agency')
        expect(text).toContain(
          `${language === 'ru' ? 'комиссия' : 'fee'} ${showAmount((Number(amount) - Number(base)).toFixed(4))}`,
        )
    }
    expect(pages.length).toBeGreaterThan(1)
    expect(text).toContain(language === 'ru' ? `из ${pages.length}` : `of ${pages.length}`)
  }
})

interface PlacedText {
  readonly text: string
  readonly from: number
  readonly to: number
}

/** The texts of each row of the table, by page and height. */
async function readRows(bytes: Buffer): Promise<PlacedText[][]> {
  const pdf = await getDocument({ data: new Uint8Array(bytes), useSystemFonts: false, verbosity: 0 }).promise
  const rows = new Map<string, PlacedText[]>()
  for (let number = 1; number <= pdf.numPages; number++) {
    const page = await pdf.getPage(number)
    const [, , right = 0] = page.view
    for (const item of (await page.getTextContent()).items) {
      if (!('str' in item) || item.str.trim() === '') continue
      const [, , , , x, y] = item.transform as number[]
      const at = `${number} ${Math.round(y ?? 0)}`
      const placed = { text: item.str, from: x ?? 0, to: (x ?? 0) + item.width }
      expect(placed.to, placed.text).toBeLessThanOrEqual(right)
      rows.set(at, [...(rows.get(at) ?? []), placed])
    }
  }
  await pdf.loadingTask.destroy()
  return [...rows.values()].map((texts) => texts.sort((a, b) => a.from - b.from))
}

test('no text of a row is printed over another, also in a long currency with large amounts [MON-15]', async () => {
  const long: DocumentLine = {
    ...lineOf(1),
    title: `${'Очень длинное название оффера '.repeat(6)}· поток`,
    currency: 'Индийская рупия',
    base: '10000000000000.0000',
    amount: '10000000000000.0000',
    fx_rate: '0.00987654',
    total: '98765432109.8800',
  }
  for (const language of ['en', 'ru'] as const)
    for (const lines of [
      [lineOf(0), { ...lineOf(1), currency: 'INR', fx_rate: '0.01093457' }],
      [lineOf(0), long],
    ]) {
      const rows = await readRows(await render({ statement: { ...documentOf(0), lines }, language }))
      const overlaps = rows.flatMap((texts) =>
        texts.flatMap((text, index) => {
          const before = texts[index - 1]
          return before !== undefined && before.to > text.from ? [`${before.text} | ${text.text}`] : []
        }),
      )
      expect(overlaps).toEqual([])
      expect(rows.flat().map(({ text }) => text)).toEqual(expect.arrayContaining(['05.11.2026', '05.12.2026']))
    }
})

test('a statement of 2,000 lines is drawn in a thread, whole, while requests go on [MON-15]', async () => {
  const statement = documentOf(2000)
  let turns = 0
  const others = setInterval(() => turns++, 1)
  const bytes = await render({ statement, language: 'ru' })
  clearInterval(others)
  expect(turns).toBeGreaterThan(10)
  const { pages, cells } = await readText(bytes)
  expect(pages.join(' ').match(/Агентские/g)).toHaveLength(666)
  const shown = new Set(cells)
  expect(statement.lines.filter(({ amount, currency }) => !shown.has(`${showAmount(amount)} ${currency}`))).toEqual([])
})

test('amounts are shown with two decimals, rounded half away from zero [MON-15]', () => {
  expect(['0', '-0.0049', '-0.005', '1234567.8950', '12', '9999999999999.9999'].map(showAmount)).toEqual([
    '0.00',
    '0.00',
    '−0.01',
    '1 234 567.90',
    '12.00',
    '10 000 000 000 000.00',
  ])
})

test('a revenue share or agency spend that is not its percentage of the base to the cent names the rounding [MON-13]', () => {
  const line = {
    title: '',
    earned_month: null,
    quantity: null,
    currency: 'EUR',
    fx_rate: '1',
    total: '0',
  } as const
  const of = (rate: string, base: string, amount: string, kind: 'rs' | 'agency' = 'rs') =>
    showRounding({ ...line, kind, rate, base, amount }, STATEMENT_WORDS.en)
  expect(of('25.0000', '0.0100', '0.0100')).toBe('rounding 0.0075 EUR')
  expect(of('25', '0.0600', '0.0100')).toBe('rounding \u22120.005 EUR')
  expect(of('30', '-150.0100', '-45.0100')).toBe('rounding \u22120.007 EUR')
  expect(of('30', '150.0100', '45.0000')).toBe('')
  expect(of('33.3333', '99999999999.9999', '33333300000.0000')).toBe('')
  expect(of('12.5', '16.5900', '18.6700', 'agency')).toBe('rounding 0.0062 EUR')
  expect(of('10', '100.0000', '110.0000', 'agency')).toBe('')
})
