// Reading tables out of files: what is in them, and what is done with files that are not what they say.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { writeXlsx } from 'hucre'
import { expect, test } from 'vitest'
import { openSheet } from '../../src/lib/sheet/open-sheet.ts'
import { SheetFailure } from '../../src/lib/sheet/sheet.ts'
import { makeDirectory } from '../support/harness.ts'
import { makeBook, makeTable, makeZip, sheetOf, stringsOf } from '../support/xlsx-file.ts'

const folder = makeDirectory()
let files = 0

function keep(content: string | Buffer | Uint8Array): string {
  const path = join(folder, `file-${files++}`)
  writeFileSync(path, content)
  return path
}

async function read(
  content: string | Buffer | Uint8Array,
): Promise<{ cells: string[][]; isNumber: boolean[][]; lines: number[]; is1904: boolean }> {
  const sheet = await openSheet(keep(content))
  try {
    const found = { cells: [] as string[][], isNumber: [] as boolean[][], lines: [] as number[], is1904: sheet.is1904 }
    for await (const rows of sheet.rows()) {
      for (const { cells, isNumber, line } of rows) {
        found.cells.push([...cells])
        found.isNumber.push([...isNumber])
        found.lines.push(line)
      }
    }
    return found
  } finally {
    await sheet.close()
  }
}

const faultOf = async (content: string | Buffer): Promise<string> =>
  read(content).then(
    () => 'read',
    (error: unknown) => (error instanceof SheetFailure ? error.fault : `not a SheetFailure: ${String(error)}`),
  )

test('the first visible sheet is read: shared, inline and formula texts, numbers, flags, gaps [PLY-06] [PLY-09]', async () => {
  const strings = stringsOf([
    '<t>plain</t>',
    '<r><t>ri</t></r><r><rPr><b/></rPr><t xml:space="preserve">ch </t></r><rPh sb="0" eb="1"><t>no</t></rPh>',
    '<t>&lt;Ω &#x41;_x0042_&amp;</t>',
    '<t/>',
  ])
  const sheet =
    sheetOf(`<row r="2" spans="1:9"><c r="A2" t="s"><v>0</v></c><c r="B2" t="s"><v>1</v></c><c r="D2" t="s"><v>2</v></c><c r="E2" s="4"/>
      <c r="F2"><f>1+1</f><v>2</v></c><c r="G2" t="str"><f>x</f><v>made</v></c><c r="H2" t="b"><v>1</v></c><c r="I2" t="e"><v>#N/A</v></c></row>
    <row r="3"/><row r="7"><c t="inlineStr"><is><t>in</t><r><t>line</t></r></is></c><c><v>1.5E-3</v></c></row>`)
  expect(await read(makeBook({ sheet, strings, is1904: true }))).toEqual({
    is1904: true,
    lines: [2, 7],
    cells: [
      ['plain', 'rich ', '', '<Ω AB&', '', '2', 'made', 'TRUE', '#N/A'],
      ['inline', '1.5E-3'],
    ],
    isNumber: [
      [false, false, false, false, false, true, false, false, false],
      [false, true],
    ],
  })
})

test('elements may carry a prefix [PLY-06]', async () => {
  const sheet =
    '<x:worksheet xmlns:x="m"><x:sheetData><x:row r="1"><x:c r="A1" t="s"><x:v>0</x:v></x:c><x:c r="B1"><x:v>7</x:v></x:c></x:row></x:sheetData></x:worksheet>'
  expect(
    (await read(makeBook({ sheet, strings: '<x:sst xmlns:x="m"><x:si><x:t>a</x:t></x:si></x:sst>' }))).cells,
  ).toEqual([['a', '7']])
})

test('what another writer writes is read as it was, in any cells [PLY-06]', async () => {
  const cell = fc.oneof(
    fc.constant(null),
    fc.integer({ min: -1_000_000, max: 1_000_000 }),
    fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
      .filter((text) => !/[\p{Cc}\ufffe\uffff]|_x[0-9a-f]{4}_/iu.test(text) && text.trim() === text && text !== ''),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(cell, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 12 }),
      async (rows) => {
        const book = await writeXlsx({ sheets: [{ name: 'S', rows }] })
        const found = await read(book)
        const told = new Map(found.lines.map((line, index) => [line, found.cells[index] ?? []]))
        const texts = rows.map((row) => row.map((value) => (value === null ? '' : String(value))))
        expect(rows.map((row, index) => row.map((_, column) => told.get(index + 1)?.[column] ?? ''))).toEqual(texts)
      },
    ),
    { numRuns: 60 },
  )
})

test('text files: separators, quotes, marks and code pages [PLY-06]', async () => {
  const cells = async (content: string | Buffer): Promise<string[][]> => (await read(content)).cells
  expect(await cells('\ufeffa;b\r\n"x;1";"say ""hi"""\r\n')).toEqual([
    ['a', 'b'],
    ['x;1', 'say "hi"'],
  ])
  expect(await cells('a\tb\n1\t2\n')).toEqual([
    ['a', 'b'],
    ['1', '2'],
  ])
  expect(await cells(Buffer.from([0xc8, 0xe3, 0xf0, 0xee, 0xea, 0x2c, 0x31]))).toEqual([['Игрок', '1']])
  expect(await cells(Buffer.from('\ufeffa,ё', 'utf16le'))).toEqual([['a', 'ё']])
})

const GOOD = makeTable([
  ['player', 'date'],
  ['1', 2],
])

test.each<[string, () => Buffer, string]>([
  ['a truncated file', () => GOOD.subarray(0, GOOD.length - 40), 'wrong_format'],
  ['half a file', () => GOOD.subarray(0, GOOD.length / 2), 'wrong_format'],
  [
    'a wrong checksum',
    () =>
      makeBook({
        sheet: sheetOf('<row r="1"><c><v>1</v></c></row>'),
        spoil: (parts) => parts.map((part) => (part.name.endsWith('sheet2.xml') ? { ...part, crc: 1 } : part)),
      }),
    'wrong_format',
  ],
  [
    'a size that is a lie',
    () =>
      makeBook({
        sheet: sheetOf('<row r="1"><c><v>1</v></c></row>'),
        spoil: (parts) => parts.map((part) => (part.name.endsWith('sheet2.xml') ? { ...part, size: 10 } : part)),
      }),
    'wrong_format',
  ],
  ['no sheet', () => makeZip([{ name: 'readme.txt', content: 'hello' }]), 'wrong_format'],
  [
    'an old workbook that is none',
    () => Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(4000)]),
    'wrong_format',
  ],
  [
    'rows out of order',
    () => makeBook({ sheet: sheetOf('<row r="2"><c><v>1</v></c></row><row r="1"><c><v>1</v></c></row>') }),
    'wrong_format',
  ],
  [
    'a row beyond the last',
    () => makeBook({ sheet: sheetOf('<row r="1048577"><c><v>1</v></c></row>') }),
    'wrong_format',
  ],
  [
    'a column beyond the last',
    () => makeBook({ sheet: sheetOf('<row r="1"><c r="ZZZZ1"><v>1</v></c></row>') }),
    'wrong_format',
  ],
  [
    'a million columns',
    () => makeBook({ sheet: sheetOf(`<row r="1">${'<c><v>1</v></c>'.repeat(1_000_000)}</row>`) }),
    'too_complex',
  ],
  [
    'seventeen thousand columns',
    () => makeBook({ sheet: sheetOf(`<row r="1">${'<c><v>1</v></c>'.repeat(17_000)}</row>`) }),
    'wrong_format',
  ],
  [
    'a row without an end',
    () => makeBook({ sheet: `<worksheet><sheetData><row r="1">${'<c><v>1</v></c>'.repeat(700_000)}` }),
    'too_complex',
  ],
  [
    'a bomb of one text',
    () => makeBook({ sheet: sheetOf(''), strings: stringsOf([`<t>${'x'.repeat(20_000_000)}</t>`]) }),
    'too_complex',
  ],
  [
    'a bomb of a workbook',
    () =>
      makeBook({
        sheet: sheetOf(''),
        spoil: (parts) =>
          parts.map((part) =>
            part.name === 'xl/workbook.xml' ? { ...part, content: Buffer.alloc(20_000_000, 32) } : part,
          ),
      }),
    'too_complex',
  ],
  ['two bytes a sign', () => makeBook({ sheet: Buffer.from('\ufeff<worksheet/>', 'utf16le') }), 'wrong_format'],
  ['bytes without sense', () => Buffer.from([0, 1, 2, 3, 0, 0, 9]), 'wrong_format'],
])('%s is refused, whatever it promises [PLY-06] [PLY-09]', async (_name, make, fault) => {
  expect(await faultOf(make())).toBe(fault)
})

test('cells behind the last column that a report can have are dropped; a document that declares entities is rejected [PLY-09]', async () => {
  const wide = await read(makeBook({ sheet: sheetOf(`<row r="1">${'<c><v>1</v></c>'.repeat(5000)}</row>`) }))
  expect(wide.cells[0]?.length).toBe(256)
  const lol = '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY lol "lollol"><!ENTITY b "&lol;&lol;">]>'
  const sheet = `${lol}<worksheet><sheetData><row r="1"><c t="inlineStr"><is><t>&b;</t></is></c></row></sheetData></worksheet>`
  expect(await faultOf(makeBook({ sheet }))).toBe('wrong_format')
})
