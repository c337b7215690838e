// Recognises the columns of an advertiser's file by many headings, in English and Russian; case, spaces and punctuation are ignored.

import type { SheetRow } from '../../lib/sheet/sheet.ts'

export const AMOUNTS = [
  'first_day_amount',
  'deposits',
  'bets',
  'bonus',
  'commission',
  'total_commission',
  'income',
] as const
export const TEXTS = ['click_id', 'country', 'site_id', 'sub_id', 'promocode', 'currency', 'advertiser'] as const

export type ColumnName =
  | 'outer_id'
  | 'report_date'
  | 'registered_at'
  | 'deposits_count'
  | (typeof TEXTS)[number]
  | (typeof AMOUNTS)[number]

const HEADINGS: Readonly<Record<ColumnName, readonly string[]>> = {
  outer_id: [
    'outer id',
    'player id',
    'player outer id',
    'player',
    'customer id',
    'user id',
    'id игрока',
    'внешний id',
    'внешний id игрока',
    'игрок',
  ],
  report_date: ['report date', 'date', 'day', 'activity date', 'дата', 'дата отчёта', 'дата отчета', 'день'],
  registered_at: [
    'registered at',
    'registration',
    'registration date',
    'reg date',
    'signup date',
    'дата регистрации',
    'регистрация',
  ],
  click_id: ['click id', 'clickid', 'click', 'id клика', 'клик'],
  country: ['country', 'actual country', 'geo country', 'страна', 'фактическая страна'],
  site_id: ['site id', 'site', 'сайт', 'id сайта'],
  sub_id: ['sub id', 'subid', 'sub'],
  promocode: ['promocode', 'promo code', 'promo', 'промокод'],
  currency: ['currency', 'валюта'],
  advertiser: ['advertiser', 'brand', 'casino', 'рекламодатель', 'бренд'],
  first_day_amount: [
    'first day amount',
    'first-day amount of dep',
    'first day deposits',
    'first day deposit amount',
    'депозиты первого дня',
    'сумма депозитов первого дня',
  ],
  deposits_count: [
    'deposits count',
    'number of deposits',
    'deposit count',
    'all deps',
    'all deposits',
    'количество депозитов',
    'число депозитов',
  ],
  deposits: [
    'deposits',
    'deposits sum',
    'deposit sum',
    'deposit amount',
    'deposits amount',
    'amount of deposits',
    'amount of all deposits',
    'amount of all deps',
    'депозиты',
    'сумма депозитов',
  ],
  bets: ['bets', 'bets sum', 'turnover', 'ставки', 'сумма ставок'],
  bonus: ['bonus', 'bonuses', 'бонус', 'бонусы'],
  commission: ['commission', 'комиссия'],
  total_commission: ['total commission', 'общая комиссия', 'итоговая комиссия'],
  income: ['income', 'revenue', 'ngr', 'net gaming revenue', 'доход'],
}

const plain = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

const NAMES: ReadonlyMap<string, ColumnName> = new Map(
  // The registry above names every column once.
  (Object.entries(HEADINGS) as [ColumnName, readonly string[]][]).flatMap(([name, headings]) => [
    [plain(name), name] as const,
    ...headings.map((heading) => [plain(heading), name] as const),
  ]),
)

/** Index in a row by column. */
export type Columns = ReadonlyMap<ColumnName, number>

/** Undefined unless the row names the player and another column. Of two columns with one name the first counts. */
export function readHeading({ cells }: SheetRow): Columns | undefined {
  const found = new Map<ColumnName, number>()
  for (const [place, text] of cells.entries()) {
    const name = NAMES.get(plain(text))
    if (name !== undefined && !found.has(name)) found.set(name, place)
  }
  return found.has('outer_id') && found.size > 1 ? found : undefined
}

export const FIGURES = ['deposits_count', ...AMOUNTS] as const
export type Figure = (typeof FIGURES)[number]

export const figuresIn = (columns: Columns): Figure[] => FIGURES.filter((name) => columns.has(name))
