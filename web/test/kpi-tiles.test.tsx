// What a tile of a key number says about a period whose last days are not reported, and about a number that is new.
import { MantineProvider } from '@mantine/core'
import type { ReportTotal } from '@tributary/contract/reports/general'
import i18next from 'i18next'
import { renderToStaticMarkup } from 'react-dom/server'
import { initReactI18next } from 'react-i18next'
import { beforeAll, expect, test } from 'vitest'
import { reportsEn } from '../src/i18n/en/reports.ts'
import { KpiTiles, type ReportedTotal } from '../src/reports/kpi/kpi-tiles.tsx'

beforeAll(async () => {
  await i18next.use(initReactI18next).init({
    lng: 'en',
    interpolation: { escapeValue: false },
    resources: { en: { translation: {}, reports: reportsEn } },
  })
})

function textOf(total: ReportTotal, reported: ReportedTotal | null = null): string {
  const html = renderToStaticMarkup(
    <MantineProvider>
      <KpiTiles
        metrics={['profit']}
        total={total}
        points={[]}
        period="day"
        currency="EUR"
        former="01.10–25.10"
        reported={reported}
        linkOf={() => null}
      />
    </MantineProvider>,
  )
  return html.replace(/<style.*?<\/style>/g, '').replace(/<[^>]+>/g, '|')
}

test('a partial number says that it is, and gives both numbers that its change compares [REP-03] [REP-09]', () => {
  const reported = { total: { profit: 1200, profit_2: 1000, income: 9 }, last: '25.11', former: '01.10–25.10' }
  const text = textOf({ profit: -500, profit_2: 1000, income: 9, partial: ['income'] }, reported)
  expect(text).toContain('\u2212500.00')
  expect(text).toContain('20.0 %')
  expect(text).toContain(reportsEn.income.partial)
  expect(text).toMatch(/Up to 25\.11: 1\s200\.00, was 1\s000\.00 \(01\.10–25\.10\)/u)
})

test('a number that was hardly any before is new; what it was shows on hover [REP-03] [REP-09]', () => {
  for (const [before, was] of [
    [0, '0.00'],
    [1, '1.00'],
  ] as const) {
    const text = textOf({ profit: 5000, profit_2: before })
    expect(text).toMatch(/\|new\|/)
    expect(text).not.toContain('>1000')
    expect(text).toContain(`was ${was} (01.10–25.10)`)
  }
})
