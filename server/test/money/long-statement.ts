// A long statement, for tests and measurements of its documents.
import type { DocumentLine, StatementDocument } from '../../src/money/statement-document.ts'

export const lineOf = (index: number): DocumentLine => ({
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

/** A statement in Cyrillic with `count` lines of all kinds and two currencies. */
export const documentOf = (count: number): StatementDocument => ({
  number: 17,
  month: '2026-10',
  approved_on: '2026-11-05',
  due_on: '2026-12-05',
  partner: 'Партнёр Ёжик',
  legal_name: 'ООО «Ромашка»',
  tax_id: 'UA 123',
  issuer: 'Tributary Media Ltd, Vilnius',
  account: '•••• 4321',
  method: 'Bank transfer',
  currency: 'EUR',
  lines: Array.from({ length: count }, (_, index) => lineOf(index)),
  total: '1234567.8950',
  verify_url: 'https://tributary.example/verify',
})
