// Measures how long the PDF of a long statement takes, and how much memory its thread adds to the process.
import { renderPdfs } from '../server/src/money/render-pdf.ts'
import type { DocumentLine, StatementDocument } from '../server/src/money/statement-document.ts'
import { type Figure, median } from './figure.ts'

const LINES = 2000
const ROUNDS = 3
const LOOK_MS = 20
const MEGABYTE = 1024 * 1024

const line = (index: number): DocumentLine => ({
  kind: index % 3 === 0 ? 'cpa' : index % 3 === 1 ? 'rs' : 'agency',
  title: `Оффер № ${index} · Žemaičių kanalas — Польша`,
  earned_month: '2026-10',
  quantity: index % 3 === 0 ? index + 1 : null,
  rate: index % 3 === 0 ? '50.0000' : '25.0000',
  base: index % 3 === 0 ? null : `${1000 + index}.5700`,
  amount: `${index * 7 + 1}.2500`,
  currency: index % 2 === 0 ? 'EUR' : 'USD',
  fx_rate: index % 2 === 0 ? '1' : '0.92',
  total: `${index * 7 + 1}.2500`,
})

const STATEMENT: StatementDocument = {
  number: 17,
  month: '2026-10',
  approved_on: '2026-11-05',
  due_on: '2026-12-05',
  partner: 'Партнёр Ёжик',
  legal_name: 'ООО «Ромашка»',
  tax_id: 'UA 123',
  method: 'Bank transfer',
  currency: 'EUR',
  lines: Array.from({ length: LINES }, (_, index) => line(index)),
  total: '1234567.8950',
  verify_url: 'https://tributary.example/verify',
}

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
