// Makes a page of partner offers like the server's answer, with a value in every field of the list.

const SIZE = 500
const TOTAL = 100_000

const named = (id: number, stem: string) => ({ id, title: `${stem} ${id}` })

const rowOf = (id: number) => ({
  id,
  uuid: `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`,
  offer: {
    ...named(id % 3000, 'An offer with a name of some length'),
    advertiser: named(id % 50, 'Brand'),
    advertiser_country: named(id % 600, 'Country'),
  },
  partner: named(id % 500, 'Partner'),
  stream: named(id % 6000, 'Stream'),
  traffic_source: named(id % 20, 'Source'),
  site_id: `site-${id}`,
  sub_id: id % 3 > 0 ? `sub-${id % 5000}` : null,
  promo_codes: [`PROMO${id}`],
  currency: { ...named(id % 7, 'Currency'), value: 'EUR' },
  landings: [named(id % 40, 'Landing')],
  tags: id % 2 > 0 ? [named(id % 30, 'Tag')] : [],
  state: id % 23 > 0 ? 'approved' : 'unapproved',
  active: id % 11 > 0,
  baseline: id % 4 > 0 ? '50.0000' : null,
  created_at: '2026-11-01T10:00:00.000Z',
  updated_at: '2026-11-02T10:00:00.000Z',
  version: 1,
})

export function makeListAnswer(page: number): string {
  const items = Array.from({ length: SIZE }, (_, index) => rowOf(TOTAL - (page - 1) * SIZE - index))
  const pagination = { page, limit: SIZE, total: TOTAL, maxPageNumber: TOTAL / SIZE }
  return JSON.stringify({ items, pagination, count_data: { unapproved: [4347] } })
}
