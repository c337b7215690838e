// Workbooks for tests, byte by byte, so that they can be wrong in any way.

import { crc32, deflateRawSync } from 'node:zlib'

export interface ZipPart {
  name: string
  content: string | Buffer
  /** Instead of the true ones. */
  crc?: number
  size?: number
}

/** A zip file of the parts. */
export function makeZip(parts: readonly ZipPart[]): Buffer {
  const files: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, content, crc, size } of parts) {
    const bytes = Buffer.from(content)
    const packed = deflateRawSync(bytes)
    const title = Buffer.from(name)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(8, 4)
    common.writeUInt32LE((crc ?? crc32(bytes)) >>> 0, 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(size ?? bytes.length, 18)
    common.writeUInt16LE(title.length, 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, title, packed])
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(offset, 10)
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, tail, title]))
    files.push(local)
    offset += local.length
  }
  const list = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(parts.length, 8)
  end.writeUInt16LE(parts.length, 10)
  end.writeUInt32LE(list.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...files, list, end])
}

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATION = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

export interface BookParts {
  sheet: string | Buffer
  strings?: string
  is1904?: boolean
  /** Changes of the parts before they are packed. */
  spoil?: (parts: ZipPart[]) => ZipPart[]
}

/** A workbook with a hidden sheet first and the given one second. */
export function makeBook({ sheet, strings, is1904 = false, spoil = (parts) => parts }: BookParts): Buffer {
  const parts: ZipPart[] = [
    {
      name: '_rels/.rels',
      content: `<Relationships><Relationship Id="rId1" Type="${RELATION}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    },
    {
      name: 'xl/workbook.xml',
      content: `<?xml version="1.0"?><workbook xmlns="${MAIN}" xmlns:r="${RELATION}"><workbookPr date1904="${is1904 ? 1 : 0}"/><sheets>
        <sheet name="a &gt; b" sheetId="1" state="hidden" r:id="rId1"/><sheet name="Figures" sheetId="2" r:id="rId2"/></sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: `<Relationships><Relationship Id="rId1" Type="${RELATION}/worksheet" Target="worksheets/hidden.xml"/>
        <Relationship Id="rId2" Type="${RELATION}/worksheet" Target="/xl/worksheets/sheet2.xml"/>
        <Relationship Id="rId3" Type="${RELATION}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
    },
    { name: 'xl/worksheets/hidden.xml', content: sheetOf('<row r="1"><c r="A1"><v>666</v></c></row>') },
    { name: 'xl/worksheets/sheet2.xml', content: sheet },
    ...(strings === undefined ? [] : [{ name: 'xl/sharedStrings.xml', content: strings }]),
  ]
  return makeZip(spoil(parts))
}

export const sheetOf = (rows: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?><worksheet xmlns="${MAIN}"><sheetData>${rows}</sheetData></worksheet>`

export const stringsOf = (texts: readonly string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?><sst xmlns="${MAIN}">${texts.map((text) => `<si>${text}</si>`).join('')}</sst>`

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** Rows of texts and numbers as a workbook with shared strings. */
export function makeTable(rows: readonly (readonly (string | number | null)[])[]): Buffer {
  const texts = new Map<string, number>()
  const cells = rows.map((row, line) => {
    const inside = row.map((value, column) => {
      if (value === null) return ''
      const place = `${String.fromCharCode(65 + column)}${line + 1}`
      if (typeof value === 'number') return `<c r="${place}"><v>${value}</v></c>`
      const index = texts.get(value) ?? texts.size
      texts.set(value, index)
      return `<c r="${place}" t="s"><v>${index}</v></c>`
    })
    return `<row r="${line + 1}">${inside.join('')}</row>`
  })
  return makeBook({
    sheet: sheetOf(cells.join('')),
    strings: stringsOf([...texts.keys()].map((text) => `<t xml:space="preserve">${escaped(text)}</t>`)),
  })
}
