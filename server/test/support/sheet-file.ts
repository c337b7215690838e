// How tests read the files that the product makes: as rows of texts, whichever format they have.

import { parseCsv } from 'hucre/csv'
import { readXlsx } from 'hucre/xlsx'

export interface SheetFile {
  status: number
  name: string
  format: 'xlsx' | 'csv'
  total: number
  estimated: number
  bytes: number
  header: string[]
  /** Numbers and dates as the file types them; csv has texts only. */
  rows: unknown[][]
}

export async function readSheet(answer: Response): Promise<SheetFile> {
  const content = new Uint8Array(await answer.arrayBuffer())
  const name = decodeURIComponent(
    /filename\*=UTF-8''([^;]+)/.exec(answer.headers.get('content-disposition') ?? '')?.[1] ?? '',
  )
  const format = name.endsWith('.csv') ? 'csv' : 'xlsx'
  const all =
    format === 'csv'
      ? parseCsv(new TextDecoder('utf-8', { ignoreBOM: false }).decode(content))
      : ((await readXlsx(content)).sheets[0]?.rows ?? [])
  const [header = [], ...rows] = all
  return {
    status: answer.status,
    name,
    format,
    total: Number(answer.headers.get('x-total-rows')),
    estimated: Number(answer.headers.get('x-estimated-bytes')),
    bytes: content.length,
    header: header.map(String),
    rows,
  }
}
