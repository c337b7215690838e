// The line that the tracker writes byte by byte is the one that clicks in bulk are written as.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLineWriter } from '../../src/facts/clicks/click-lines.ts'
import type { InboxClick } from '../../src/facts/columns.ts'
import { ClickBatch } from '../../src/tracker/clicks/click-batch.ts'

const WRITER = 7
const ID = '01980000-0000-7000-8000-00000000000a'

const id = fc.integer({ min: 0, max: 2 ** 31 - 1 })
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom('\\', 'a\\tb', '\t\n\r\\', 'x'.repeat(300), 'ü🙂', ''),
)
const absent = fc.option(text)
const click: fc.Arbitrary<InboxClick> = fc.record({
  id: fc.constant(ID),
  created_at: fc.integer({ min: 1_700_000_000_000, max: 1_900_000_000_000 }),
  offer_partner_id: id,
  offer_id: id,
  partner_id: id,
  advertiser_id: id,
  landing_id: fc.option(id),
  stream_id: id,
  traffic_source_id: id,
  country_id: id,
  bot: fc.boolean(),
  canonical_id: fc.option(fc.constant('01980000-0000-7000-8000-000000000001')),
  site_id: text,
  sub_id: absent,
  sub2: absent,
  sub3: absent,
  sub4: absent,
  sub5: absent,
  partner_click_id: absent,
  promocode: absent,
  media_id: absent,
  ip: fc.ipV4(),
  ip_country: fc.option(fc.constant('UA')),
  user_agent: absent,
  referrer: absent,
  language: absent,
  url: text,
  target: fc.webUrl(),
})

/** The text of the last field of the last row: what follows its length, up to the end of the binary form. */
function lastLine(message: Buffer, line: string): string {
  const end = message.length - 7
  return message.subarray(end - Buffer.byteLength(line), end).toString()
}

test('a click in the inbox is the line that ClickHouse will read, whatever its texts hold [TRK-01][TRK-03]', () => {
  const write = createLineWriter('UTC')
  fc.assert(
    fc.property(fc.array(click, { minLength: 1, maxLength: 5 }), (clicks) => {
      const batch = new ClickBatch()
      for (const one of clicks) batch.add(one, WRITER)
      const last = clicks.at(-1)
      const line = last === undefined ? '' : write(last).split('\t').slice(3).join('\t')
      const message = Buffer.from(batch.finish())
      expect(lastLine(message, line)).toBe(Buffer.from(line).toString())
      expect(line.split('\t')).toHaveLength(28)
    }),
    { numRuns: 500 },
  )
})
