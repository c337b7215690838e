// Names in histories are quoted as the language does it.
import { globSync, readFileSync } from 'node:fs'
import i18next from 'i18next'
import { renderToStaticMarkup } from 'react-dom/server'
import { initReactI18next } from 'react-i18next'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { FieldTitle } from '../src/entities/history/history-item.tsx'
import { en } from '../src/i18n/en/dictionary.ts'
import { ru } from '../src/i18n/ru/dictionary.ts'

beforeAll(async () => {
  await i18next.use(initReactI18next).init({
    lng: 'en',
    interpolation: { escapeValue: false },
    resources: { en: { translation: en }, ru: { translation: ru } },
  })
})

test('a name in a history is quoted as the language does it [AUD-01]', async () => {
  const show = () => renderToStaticMarkup(<FieldTitle name="offer" title="Betwell" />)
  expect(show()).toBe('“Betwell”')
  await i18next.changeLanguage('ru')
  onTestFinished(async () => void (await i18next.changeLanguage('en')))
  expect(show()).toBe('«Betwell»')
})

test('no screen writes English quotes itself: they come from the words of a language [AUD-01]', () => {
  const root = new URL('../src/', import.meta.url).pathname
  const quoting = globSync('**/*.{ts,tsx}', { cwd: root }).filter(
    (file) => !file.startsWith('i18n/en/') && readFileSync(`${root}${file}`, 'utf8').includes('“'),
  )
  expect(quoting).toEqual([])
})
