// Measures how long the PDF of a long statement takes, and how much memory its thread adds to the process.
import { renderPdfs } from '../server/src/money/render-pdf.ts'
import { documentOf } from '../server/test/money/long-statement.ts'
import { type Figure, median } from './figure.ts'

const LINES = 2000
const ROUNDS = 3
const LOOK_MS = 20
const MEGABYTE = 1024 * 1024

const STATEMENT = documentOf(LINES)

export async function measureStatementPdf(): Promise<Figure[]> {
  const times: number[] = []
  const memory: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.memoryUsage.rss()
    let most = before
    const watch = setInterval(() => {
      most = Math.max(most, process.memoryUsage.rss())
    }, LOOK_MS)
    const began = performance.now()
    await renderPdfs([{ statement: STATEMENT, language: 'ru' }])
    times.push(performance.now() - began)
    clearInterval(watch)
    memory.push((most - before) / MEGABYTE)
  }
  return [
    { name: 'money.pdf_of_2000_lines', value: median(times), unit: 'ms', runs: times },
    // The first thread takes most; later ones reuse what it has freed.
    { name: 'money.pdf_memory', value: Math.max(...memory), unit: 'MB', runs: memory },
  ]
}
