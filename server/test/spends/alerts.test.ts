// Alerts: which there are, who gets them, and the mail a day.
import type { AlertList } from '@tributary/contract/calls/alert'
import { addDays } from '@tributary/contract/period'
import { beforeAll, expect, test } from 'vitest'
import { mailAlertsTo } from '../../src/jobs/mail-alerts.ts'
import { queueAlertMails } from '../../src/jobs/plan-alert-mails.ts'
import { MODULES } from '../../src/modules.ts'
import type { Server } from '../../src/server.ts'
import { ask, done, type Json, makeSpendGround, type SpendGround, unique } from '../support/entity-calls.ts'
import { startTestApp } from '../support/harness.ts'
import { type MailServer, startMailServer } from '../support/mail-server.ts'
import { type SignedIn, signIn } from '../support/sign-in.ts'
import { day, TODAY } from './spend-table-calls.ts'

let server: Server
let post: MailServer
let admin: SignedIn
let manager: SignedIn
let own: SpendGround
let foreign: SpendGround
let euro: number

beforeAll(async () => {
  post = await startMailServer()
  server = await startTestApp({ modules: MODULES, env: { SMTP_URL: post.url } })
  admin = await signIn(server, 'ADMIN')
  euro = (await done(admin, 'POST', 'currency', { title: unique('Euro'), value: 'EUR' })).id
  await done(admin, 'PUT', 'setting/1', { report_currency: euro, agency_spend_percentage: '0' })
  own = await makeSpendGround(admin, [day(2), day(1), TODAY])
  foreign = await makeSpendGround(admin, [day(3)])
  manager = await signIn(server, 'MANAGER')
  await server.services.postgres.pool.query('update "user" set permissions = $2 where id = $1', [
    manager.id,
    ['dashboard', 'partners_spend_view'],
  ])
  const group = await done(admin, 'POST', 'partner_group', { title: unique('Group') })
  const body = { partner: own.net.partner.id, partner_group: group.id }
  const member = await done(admin, 'POST', 'partner_partner_group', body)
  await done(admin, 'PUT', `partner_partner_group/${member.id}`, { managers: [{ user: manager.id, is_main: true }] })
})

const readAlerts = async (person: SignedIn): Promise<AlertList> =>
  (await done(person, 'GET', 'alert')) as unknown as AlertList
const ofPartner = ({ items }: AlertList, { net }: SpendGround) =>
  items.filter(({ title }) => title === String(net.partner.title))

/** Spend of today, of an advertiser of its own. */
async function spendToday(planned: string | null, sum: string): Promise<Json> {
  const { net, spend } = await makeSpendGround(admin, [TODAY])
  await done(admin, 'POST', 'partner_spend', { ...spend, date: TODAY, sum, currency: euro })
  const cell = { advertiser: net.advertiser.id, country: net.country.id, month: `${TODAY.slice(0, 7)}-01` }
  if (planned !== null) await done(admin, 'POST', 'budget', { ...cell, planned })
  return net.advertiser
}

test('each partner with missing spends has one alert, for users who see the partner, after the days set in Settings [SPD-01] [PERM-07]', async () => {
  const alert = {
    alert: 'missing_spends',
    title: own.net.partner.title,
    message: expect.stringMatching(/: 2, /),
    address: `/partners-spends?view=table&partner=${own.net.partner.id}&month=${day(1).slice(0, 7)}`,
  }
  const all = await readAlerts(admin)
  expect(ofPartner(all, own)).toEqual([alert])
  expect(ofPartner(all, foreign)).toHaveLength(1)
  const seen = await readAlerts(manager)
  expect(seen.items).toEqual([alert])
  expect(seen.total).toBe(1)
  // Of today a spend may still come.
  await done(admin, 'PUT', 'setting/1', { missing_spend_days: 31 })
  const later = ofPartner(await readAlerts(admin), own)
  expect(later).toHaveLength(addDays(TODAY, -31) >= day(1) ? 1 : 0)
  await done(admin, 'PUT', 'setting/1', { missing_spend_days: 3 })
  const partner = await signIn(server, 'PARTNER', own.net.partner.id)
  expect((await ask(partner, 'GET', 'alert')).status).toBe(403)
})

test('warnings of the current budget plan are alerts, the most urgent first, and open the plan filtered by them [SPD-05] [MON-09]', async () => {
  const over = await spendToday('100', '150.5')
  const unplanned = await spendToday(null, '1234567')
  const unplannedTitle = `${String(unplanned.title)} ·`
  const isTold = async () => (await readAlerts(admin)).items.some(({ title }) => title.startsWith(unplannedTitle))
  await expect.poll(isTold, { timeout: 20_000 }).toBe(true)
  const { items } = await readAlerts(admin)
  const of = (advertiser: Json) => items.filter(({ title }) => title.startsWith(`${String(advertiser.title)} ·`))
  const address = new URLSearchParams({ month: TODAY.slice(0, 7), q: String(over.title), warning: 'overlimit' })
  expect(of(over)[0]).toEqual({
    alert: 'overlimit',
    title: expect.stringContaining(String(over.title)),
    message: 'Spent 150 of 100 EUR',
    address: `/budget-plan?${address.toString()}`,
  })
  expect(of(unplanned)).toContainEqual(
    expect.objectContaining({
      alert: 'spend_without_plan',
      message: 'Spent 1\u00a0234\u00a0567 EUR, nothing is planned',
    }),
  )
  const kinds = items.map(({ alert }) => alert)
  expect(kinds.indexOf('overlimit')).toBeLessThan(kinds.indexOf('spend_without_plan'))
  expect(kinds.indexOf('spend_without_plan')).toBeLessThan(kinds.indexOf('missing_spends'))
  // The manager may not see the budget plan.
  expect((await readAlerts(manager)).items.map(({ alert }) => alert)).toEqual(['missing_spends'])
})

test('who wants it gets a mail a day with what they may see then, once, and none without alerts [SPD-05] [PERM-07]', async () => {
  const { services } = server
  const tomorrow = new Date(Date.now() + 86_400_000)
  expect((await readAlerts(manager)).mail).toMatchObject({ is_on: false, sent_at: null })
  await done(manager, 'PUT', 'alert/mail', { is_on: true })
  expect((await readAlerts(manager)).mail.is_on).toBe(true)
  const coming = post.next()
  expect(await queueAlertMails(services, tomorrow)).toBe(1)
  expect(await queueAlertMails(services, tomorrow)).toBe(0)
  const mail = await coming
  expect(mail.to).toMatchObject([{ address: manager.email }])
  expect(mail.subject).toBe('Tributary: alerts of today (1)')
  expect(mail.text).toContain(`– ${String(own.net.partner.title)}: Days with activity and without spend: 2`)
  expect(mail.text).not.toContain(String(foreign.net.partner.title))
  expect(mail.text).toContain(`/partners-spends?view=table&partner=${own.net.partner.id}`)
  await expect.poll(async () => (await readAlerts(manager)).mail.sent_at, { timeout: 20_000 }).not.toBeNull()
  expect((await readAlerts(manager)).mail).toMatchObject({ mails: 1, last_at: expect.any(String) })
  const again = (due: Date) => mailAlertsTo(manager.id, due, services, new AbortController().signal)
  expect(await again(new Date(Date.now() - 60_000))).toBe(0)
  // Another partner is managed now: nothing is left to tell.
  await services.postgres.pool.query('delete from partner_group_manager where user_id = $1', [manager.id])
  expect(await again(tomorrow)).toBe(0)
  await done(manager, 'PUT', 'alert/mail', { is_on: false })
  expect(await queueAlertMails(services, new Date(tomorrow.getTime() + 86_400_000))).toBe(0)
  expect(post.mails.filter(({ to }) => to?.[0]?.address === manager.email)).toHaveLength(1)
})
