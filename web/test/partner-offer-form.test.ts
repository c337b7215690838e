// The form of a partner offer: dated terms without overlap, postback templates, the check list of requirements.
import { say } from '@tributary/contract/words/messages'
import { describe, expect, test } from 'vitest'
import type { FormRow } from '../src/entities/form/form-row.ts'
import { checkRanges } from '../src/entities/terms/term-ranges.ts'
import { eventParameters } from '../src/entities/testers/event-tester.tsx'
import { eventTemplate } from '../src/screens/offer-partner/advertiser-postbacks.tsx'
import {
  applyReasons,
  checkPartnerOffer,
  type PartnerOfferFacts,
} from '../src/screens/offer-partner/partner-offer-checklist.tsx'
import { HISTORIES } from '../src/screens/offer-partner/partner-offer-terms.tsx'

const range = (date_from: string, date_to: string | null, _status: 'deleted' | null = null) => ({
  id: 1,
  _key: 'k',
  _status,
  value: '5',
  date_from,
  date_to,
})

const checkHistories = (values: FormRow) => checkRanges(values, HISTORIES)

describe('histories', () => {
  test('ranges that share a day are both rejected, each with the days of the other [ENT-14]', () => {
    const issues = checkHistories({ cost_history: [range('2026-01-01', '2026-01-31'), range('2026-01-31', null)] })
    expect(issues).toEqual({
      'cost_history.0.date_from': { key: 'history_overlap_with', values: { range: '31.01.2026 – …' } },
      'cost_history.1.date_from': { key: 'history_overlap_with', values: { range: '01.01.2026 – 31.01.2026' } },
    })
    expect(say('en', 'history_overlap_with', { range: '…' })).toBe('Data interception issue: …')
  })

  test('an open range has no end; one marked for deletion is ignored [ENT-14]', () => {
    const rows = [range('2026-01-01', null), range('2027-01-01', '2027-02-01')]
    expect(Object.keys(checkHistories({ bl_period_history: rows }))).toHaveLength(2)
    expect(checkHistories({ bl_period_history: [range('2026-01-01', null, 'deleted'), rows[1]] })).toEqual({})
    expect(checkHistories({ cost_history: [rows[0]], max_days_history: [rows[1]] })).toEqual({})
  })

  test('a range that ends before it begins is rejected [ENT-14]', () => {
    const issues = checkHistories({ cost_history: [range('2026-03-01', '2026-02-01')] })
    expect(issues['cost_history.0.date_to']?.key).toBe('dates_reversed')
  })
})

describe('postback templates', () => {
  const url =
    'https://t.example/postback/u1?click_id={click_id}&event={event}&player_id={player_id}&sum={sum}&currency={currency}&country={country}&promocode={promocode}&date={date}&transaction_id={transaction_id}'

  test('each event has its own template with its parameters [ENT-13]', () => {
    expect(eventTemplate(url, 'reg')).toBe(
      'https://t.example/postback/u1?click_id={click_id}&event=reg&player_id={player_id}&country={country}&promocode={promocode}&date={date}',
    )
    expect(eventTemplate(url, 'dep')).toBe(
      'https://t.example/postback/u1?click_id={click_id}&event=dep&player_id={player_id}&sum={sum}&currency={currency}&date={date}&transaction_id={transaction_id}',
    )
  })
})

describe('check list', () => {
  const ready: PartnerOfferFacts = {
    offer: { id: 1, active: true, state: 'approved', advertiserId: 9, mediaId: 'M1' },
    advertiser: { mediaId: null, hasDomain: true },
    partner: { id: 2, active: true, state: 'approved' },
    stream: { valid: true, message: null },
    trafficSource: { valid: true, message: null },
  }
  const missing = (facts: PartnerOfferFacts) =>
    checkPartnerOffer(facts)
      .filter(({ isMet }) => isMet === false)
      .map(({ name, mend }) => [name, mend?.path])

  test('all requirements are met [ENT-15]', () => {
    expect(checkPartnerOffer(ready).every(({ isMet }) => isMet)).toBe(true)
  })

  test('each missing requirement is listed, with a link to fix it [ENT-15]', () => {
    const { offer, partner } = ready
    if (offer === null || partner === null) throw new Error('facts')
    expect(missing({ ...ready, offer: { ...offer, state: 'unapproved' } })).toEqual([
      ['offerApproved', '/offers/1/edit'],
    ])
    expect(missing({ ...ready, partner: { ...partner, active: false } })).toEqual([
      ['partnerApproved', '/partners/2/edit'],
    ])
    expect(missing({ ...ready, offer: { ...offer, mediaId: null } })).toEqual([
      ['mediaId', '/advertisers/9/edit?tab=countries'],
    ])
    expect(missing({ ...ready, advertiser: { mediaId: null, hasDomain: false } })).toEqual([
      ['domain', '/advertisers/9/edit?tab=countries'],
    ])
    expect(missing({ ...ready, stream: { valid: false, message: 'taken' } })).toEqual([['stream', undefined]])
  })

  test('requirements that the user cannot see are not listed as missing [ENT-15]', () => {
    const { offer } = ready
    if (offer === null) throw new Error('facts')
    const checks = checkPartnerOffer({ ...ready, advertiser: null, offer: { ...offer, mediaId: null } })
    expect(checks.find(({ name }) => name === 'mediaId')?.isMet).toBeNull()
    expect(checks.find(({ name }) => name === 'domain')?.isMet).toBeNull()
  })

  test('reasons from the server override the screen’s own checks, with the link that they contain [ENT-15]', () => {
    const reasons = [
      { field: 'offer', code: 'media_id_missing', message: 'No media ID', mend: { entity: 'advertiser', id: 7 } },
      { field: 'partner', code: 'partner_not_approved', message: 'Not approved', mend: { entity: 'partner', id: 2 } },
      { field: 'partner', code: 'partner_inactive', message: 'Off', mend: { entity: 'partner', id: 2 } },
      { field: 'site_id', code: 'site_id_exists', message: 'Taken' },
    ]
    const found = applyReasons(checkPartnerOffer(ready), reasons).filter(({ isMet }) => isMet === false)
    expect(found.map(({ name, mend, message }) => [name, mend?.path, message])).toEqual([
      ['partnerApproved', '/partners/2/edit', 'Not approved. Off'],
      ['mediaId', '/advertisers/7/edit?tab=countries', 'No media ID'],
    ])
    expect(applyReasons(checkPartnerOffer(ready), [])).toEqual(checkPartnerOffer(ready))
  })
})

test('an event sends its own parameters, and no empty ones [TRK-11]', () => {
  const values = { player_id: ' p1 ', sum: '5', country: '', promocode: 'A' }
  expect(eventParameters('dep', values)).toEqual({ event: 'dep', player_id: 'p1', sum: '5' })
  expect(eventParameters('reg', values)).toEqual({ event: 'reg', player_id: 'p1', promocode: 'A' })
})
