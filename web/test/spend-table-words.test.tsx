// What the spend table says when two people have changed a cell, and when its partner is out of sight.
import { MantineProvider } from '@mantine/core'
import i18next from 'i18next'
import { renderToStaticMarkup } from 'react-dom/server'
import { initReactI18next } from 'react-i18next'
import { beforeAll, expect, test } from 'vitest'
import { HttpError } from '../src/data/http-error.ts'
import { en } from '../src/i18n/en/dictionary.ts'
import { problemText } from '../src/screens/partner-spend/cell-details.tsx'
import { NoTable } from '../src/screens/partner-spend/spend-table-screen.tsx'

beforeAll(async () => {
  await i18next.use(initReactI18next).init({ lng: 'en', resources: { en: { translation: en } } })
})

test('both sums of a clash are written as the grid shows them [MON-07]', () => {
  const say = (mine: string | null, theirs: string | null) =>
    problemText({ text: '', base: mine, problem: null }, { kind: 'clash', theirs, by: null }, {}, i18next.t)
  expect(say('1555.5', '555.5000')).toBe('Somebody else has changed this cell: 555.50. You entered: 1\u202f555.50')
  expect(say(null, '0.1234')).toBe('Somebody else has changed this cell: 0.1234. You entered: nothing')
})

test('a partner out of sight is said to be that, without another try; other failures can be tried again [PERM-07] [SPD-01]', () => {
  const show = (code: 'not_found' | 'unavailable', status: number) =>
    renderToStaticMarkup(
      <MantineProvider>
        <NoTable error={new HttpError({ code, status, message: 'It failed' })} onRetry={() => undefined} />
      </MantineProvider>,
    )
  expect(show('not_found', 404)).toContain('You have no access to this partner')
  expect(show('not_found', 404)).not.toMatch(/<button/)
  expect(show('unavailable', 503)).toMatch(/It failed.*<button/)
})
