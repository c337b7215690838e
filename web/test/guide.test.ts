// The guide: every screen has a page, pages are alike in both languages, and their links and pictures exist.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { PERMISSIONS } from '@tributary/contract/access'
import { LANGUAGES } from '@tributary/contract/language'
import { expect, test } from 'vitest'
import { resolveNavigation } from '../src/app/navigation.ts'
import { en } from '../src/i18n/en/dictionary.ts'
import type { Dictionary } from '../src/i18n/shape.ts'
import { GUIDE_PAGES, guidePageOf, loadGuide, searchGuide } from '../src/ui/guide/guide-pages.ts'
import { type Block, type Inline, readGuide } from '../src/ui/guide/guide-text.ts'

const folder = fileURLToPath(new URL('../../docs/guide/', import.meta.url))
const partsOf = (block: Block): readonly Inline[] =>
  block.kind === 'paragraph' ? block.content : block.kind === 'list' ? block.items.flat() : []

test('every screen of the menu, its views and the account have a page of the guide [NAV-10]', () => {
  const words = en as unknown as Dictionary
  const roles = ['ADMIN', 'PARTNER'] as const
  const paths = roles.flatMap((role) =>
    resolveNavigation({ role, permissions: PERMISSIONS }, words).flatMap(({ items }) =>
      items.flatMap(({ path, views }) => [path, ...views.map((view) => view.path)]),
    ),
  )
  for (const path of [...paths, '/account', '/rejected-clicks', '/offers/12/edit', '/partners-spends?view=table'])
    expect([path, guidePageOf(path.split('?')[0] ?? '')]).not.toEqual([path, 'lists'])
})

test.each(LANGUAGES)(
  'the guide has exactly these pages, and their links and pictures exist, %s [I18N-02]',
  async (language) => {
    const files = readdirSync(`${folder}${language}`).flatMap((file) =>
      file.endsWith('.md') ? [file.slice(0, -3)] : [],
    )
    expect(files.sort()).toEqual([...GUIDE_PAGES].sort())
    const texts = await loadGuide(language)
    for (const page of GUIDE_PAGES) {
      const { title, blocks } = readGuide(texts[page])
      expect([page, title]).toEqual([page, expect.stringMatching(/^[\p{L}].{3,60}$/u)])
      for (const block of blocks) {
        if (block.kind === 'picture')
          expect([page, existsSync(`${folder}${language}/${block.name}.webp`)]).toEqual([page, true])
        for (const part of partsOf(block)) {
          // Whatever is no mark of the reader would be shown as it is.
          expect([page, part.text]).toEqual([page, expect.not.stringMatching(/[*#`[\]]|\]\(/)])
          if (part.kind === 'link')
            expect([page, part.to, GUIDE_PAGES.some((name) => part.to === `${name}.md`)]).toEqual([page, part.to, true])
        }
      }
    }
  },
)

test('both languages say the same: as many headings, lists, items and pictures, in the same order [I18N-02]', () => {
  const shapeOf = (language: string, page: string) =>
    readGuide(readFileSync(`${folder}${language}/${page}.md`, 'utf8')).blocks.map((block) =>
      block.kind === 'list' ? `${block.kind} ${block.items.length}` : block.kind,
    )
  for (const page of GUIDE_PAGES) expect([page, shapeOf('ru', page)]).toEqual([page, shapeOf('en', page)])
})

test('a search finds pages that have all words, titles first; without words it lists all pages [NAV-11]', async () => {
  const texts = await loadGuide('en')
  expect(searchGuide(texts, '').map(({ page }) => page)).toEqual(GUIDE_PAGES)
  expect(searchGuide(texts, 'Settings')[0]?.page).toBe('settings')
  const [found] = searchGuide(texts, 'overwritten nonsense words')
  expect(found).toBeUndefined()
  expect(searchGuide(texts, 'idempotency key')).toEqual([
    { page: 'postbacks', title: 'Postbacks', excerpt: expect.stringContaining('idempotency') },
  ])
})

test.each([
  ['en', 'partner offer', 'Partner offers'],
  ['en', 'Payouts', 'Statements, invoices and payments'],
  ['en', 'payment', 'Statements, invoices and payments'],
  ['en', 'offers', 'Offers'],
  ['en', 'players', 'Players'],
  ['ru', 'связка', 'Связки'],
  ['ru', 'выплаты', 'Акты, счета и выплаты'],
  ['ru', 'игроки', 'Игроки'],
] as const)(
  'a title, in the singular or the plural, is the first result: %s %s [NAV-11]',
  async (language, text, title) => {
    expect(searchGuide(await loadGuide(language), text)[0]?.title).toBe(title)
  },
)

test('a search finds the page that explains the word first, and shows words without marks [NAV-11]', async () => {
  const found = searchGuide(await loadGuide('en'), 'hold')
  expect(found.map(({ title }) => title).slice(0, 3)).toEqual([
    'Partners and groups',
    'Finance overview',
    'Statements, invoices and payments',
  ])
  expect(found[0]?.excerpt).toMatch(/Hold: days after qualification/)
  expect(found.map(({ excerpt }) => excerpt).join('')).not.toMatch(/ - |\*\*| \d\. /)
  const inRussian = searchGuide(await loadGuide('ru'), 'удержание')
  expect(inRussian.find(({ page }) => page === found[0]?.page)?.excerpt).toMatch(/Удержание: /)
})
