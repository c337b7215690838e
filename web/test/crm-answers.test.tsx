// What the screen of previews shows of the CRM's answers.
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import i18next from 'i18next'
import { renderToStaticMarkup } from 'react-dom/server'
import { initReactI18next } from 'react-i18next'
import { beforeAll, expect, test } from 'vitest'
import { en } from '../src/i18n/en/dictionary.ts'
import { CrmAnswers } from '../src/screens/statement/crm-answers.tsx'
import type { StatementInvoice } from '../src/screens/statement/statement-row.ts'

beforeAll(async () => {
  await i18next.use(initReactI18next).init({ lng: 'en', resources: { en: { translation: en } } })
})

const named = (title: string) => ({ id: 1, title })
const invoice = (id: number, status: StatementInvoice['status']): StatementInvoice => ({
  id,
  status,
  amount: '25.0000',
  advertiser: named('Acme'),
  country: named('Poland'),
  stream: named('Banner'),
  crm_response: status === 'rejected' ? { reason: 'The project is closed' } : null,
})

async function show(invoices: readonly StatementInvoice[]): Promise<string> {
  const component = () => <CrmAnswers statement={7} currency="EUR" invoices={invoices} />
  const router = createRouter({
    routeTree: createRootRoute({ component }),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  })
  await router.load()
  return renderToStaticMarkup(<RouterProvider router={router} />)
}

test('answers of the CRM name the invoice and what it pays for, rejected ones first, and the rest is a link [MON-14]', async () => {
  const many = Array.from({ length: 20 }, (_, index) => invoice(100 + index, 'accepted'))
  const shown = await show([...many, invoice(5, 'rejected'), invoice(6, 'approved')])
  const numbers = [...shown.matchAll(/#(\d+)</g)].map(([, number]) => Number(number))
  expect(numbers).toEqual([5, 100, 101, 102, 103, 104, 105, 106])
  expect(shown).toContain('href="/payment-invoices?')
  for (const name of ['Acme', 'Poland', 'Banner', 'The project is closed', 'All 21 with the CRM'])
    expect(shown).toContain(name)
  expect(await show([invoice(6, 'approved')])).not.toMatch(/#\d/)
})
