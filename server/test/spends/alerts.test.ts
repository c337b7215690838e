// Alerts: which there are, who gets them, and the mail a day.
import type { Alert, AlertList } from '@tributary/contract/calls/alert'
import { addDays } from '@tributary/contract/period'
import type { BudgetAnswer } from '@tributary/contract/reports/budget'
import { beforeAll, expect, test } from 'vitest'
import { mailAlertsTo, writeAlertMail } from '../../src/jobs/mail-alerts.ts'
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

const readStored = async (person: SignedIn): Promise<AlertList> =>
  (await done(person, 'GET', 'alert')) as unknown as AlertList
/** The alerts as they are found now. */
async function readAlerts(person: SignedIn): Promise<AlertList> {
  await server.services.postgres.pool.query('delete from alert_finding')
  return readStored(person)
}
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
    subject: `${day(1).slice(0, 7)} ${own.net.partner.id}`,
    facts: expect.stringMatching(/ 2$/),
    count: 1,
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
  const [alert] = of(over)
  const cell = String(alert?.title).replace(' · ', ' ')
  const address = new URLSearchParams({ month: TODAY.slice(0, 7), q: cell, warning: 'overlimit' })
  const plan = { month: TODAY.slice(0, 7), filter: { search: cell, warning: 'overlimit' } }
  const found = await done(admin, 'POST', 'budget_report/report', plan)
  expect((found.rows as Json[]).flatMap(({ groups }) => groups)).toHaveLength(1)
  expect(alert).toEqual({
    alert: 'overlimit',
    subject: expect.stringMatching(new RegExp(`^${TODAY.slice(0, 7)} ${over.id} \\d+$`)),
    facts: '100 15',
    count: 1,
    title: expect.stringContaining(String(over.title)),
    message: 'The plan of 100 EUR is used up: 150 spent',
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

test('spend of a partner without a part is not without a plan, if the network has one [SPD-05] [MON-09] [PERM-07]', async () => {
  const { net, spend } = await makeSpendGround(admin, [TODAY])
  await done(admin, 'POST', 'partner_spend', { ...spend, date: TODAY, sum: '55', currency: euro })
  const warnings = async () => {
    const filter = { partners: [net.partner.id] }
    const { rows } = (await done(admin, 'POST', 'budget_report/report', { filter })) as unknown as BudgetAnswer
    return rows.flatMap((row) => [row, ...row.groups].flatMap((one) => one.warnings))
  }
  await expect.poll(warnings, { timeout: 20_000 }).toContain('spend_without_plan')
  const cell = { advertiser: net.advertiser.id, country: net.country.id, month: `${TODAY.slice(0, 7)}-01` }
  await done(admin, 'POST', 'budget', { ...cell, planned: '1000' })
  expect(await warnings()).not.toContain('spend_without_plan')
})

test('every kind is listed and counted, however many alerts another kind has [SPD-05]', async () => {
  const { pool } = server.services.postgres
  const many = Array.from({ length: 120 }, (_, index) => index)
  await readAlerts(admin)
  await pool.query(
    `update alert_finding set found_at = now(), alerts = alerts || (select jsonb_agg(jsonb_build_object('alert', kind, 'subject',
        'many ' || n, 'facts', '', 'title', 'Many', 'weight', 0, 'values', '{}'::jsonb, 'address', '/'))
      from unnest($1::int[]) n cross join unnest(array['overlimit', 'missing_spends']) kind)`,
    [many],
  )
  const { items, total, counts } = await readStored(admin)
  const listed = (kind: string) => items.filter(({ alert }) => alert === kind).length
  expect([listed('overlimit'), listed('missing_spends')]).toEqual([100, 100])
  expect(total).toBeGreaterThanOrEqual(240)
  expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(total)
  expect(counts.missing_spends).toBeGreaterThanOrEqual(120)
  await pool.query('delete from alert_finding')
})

test('a mail names every kind with its number of records, as the dashboard counts them, and the first alerts of each [SPD-05]', () => {
  const alertOf = (alert: Alert['alert'], n: number): Alert => ({
    alert,
    subject: String(n),
    facts: '',
    count: 1,
    title: `Place ${n}`,
    message: 'is over',
    address: `/budget-plan?q=${n}`,
  })
  const many = Array.from({ length: 60 }, (_, n) => alertOf('overlimit', n))
  const { subject, text } = writeAlertMail(
    [...many, { ...alertOf('missing_spends', 99), count: 7 }],
    'en',
    'https://here',
  )
  expect(subject).toBe('Tributary: alerts of today (67)')
  expect(text).toContain('Overlimit (60)')
  expect(text).toContain('– and 50 more')
  expect(text).toContain('Missing spends (7)\n– Place 99: is over\n  https://here/budget-plan?q=99')
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
  expect(mail.text).toContain(`– ${String(own.net.partner.title)}: Active days without spend: 2`)
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

test('a user dismisses an alert, for themselves, until what it states changes; it is not mailed, and can be brought back [SPD-05] [SPD-01]', async () => {
  const { pool } = server.services.postgres
  const [told] = ofPartner(await readAlerts(admin), own)
  if (told === undefined) throw new Error('no alert to dismiss')
  const { alert, subject, facts } = told
  const other = await signIn(server, 'ADMIN')
  const isTold = async (person: SignedIn) => ofPartner(await readAlerts(person), own).length > 0
  await done(admin, 'PUT', 'alert/dismissal', { alert, subject, facts, is_dismissed: true })
  const after = await readAlerts(admin)
  expect(ofPartner(after, own)).toEqual([])
  expect(after.dismissed).toEqual([told])
  expect(after.dismissed_total).toBe(1)
  expect(await isTold(other)).toBe(true)
  // It is not mailed either.
  const coming = post.next()
  await pool.query('insert into alert_mail (user_id) values ($1)', [admin.id])
  await mailAlertsTo(admin.id, new Date(), server.services, new AbortController().signal)
  expect((await coming).text).not.toContain(String(own.net.partner.title))

  await done(admin, 'PUT', 'alert/dismissal', { alert, subject, facts, is_dismissed: false })
  expect(await isTold(admin)).toBe(true)
  await done(admin, 'PUT', 'alert/dismissal', { alert, subject, facts, is_dismissed: true })
  expect(await isTold(admin)).toBe(false)
  // One of its two days gets a spend: that is news.
  await done(admin, 'POST', 'partner_spend', { ...own.spend, date: day(2), sum: '5', currency: euro })
  expect(await isTold(admin)).toBe(true)
  expect((await readAlerts(admin)).dismissed).toEqual([])
  // Facts that are no longer stated dismiss nothing.
  await done(admin, 'PUT', 'alert/dismissal', { alert, subject, facts, is_dismissed: true })
  expect(await isTold(admin)).toBe(true)
  const bad = await ask(admin, 'PUT', 'alert/dismissal', { alert: 'weather', subject, facts, is_dismissed: true })
  expect(bad.status).toBe(422)
})

test('alerts are answered as found last, for the same partners and role only, and are found again by a job [SPD-05] [PERM-07]', async () => {
  const { pool } = server.services.postgres
  await pool.query('delete from alert_finding')
  const first = await readStored(admin)
  expect(first.is_old).toBe(false)
  const title = unique('A found alert')
  await pool.query(
    `update alert_finding set found_at = now() - interval '1 minute',
      alerts = jsonb_set(alerts, '{0}', alerts -> 0 || jsonb_build_object('alert', 'overlimit', 'title', $1::text, 'weight', 1e9))`,
    [title],
  )
  expect((await readStored(manager)).items.some((alert) => alert.title === title)).toBe(false)
  const stored = await readStored(admin)
  expect(stored).toMatchObject({ is_old: true, items: expect.arrayContaining([expect.objectContaining({ title })]) })
  await expect.poll(async () => (await readStored(admin)).is_old, { timeout: 20_000 }).toBe(false)
  expect((await readStored(admin)).items.some((alert) => alert.title === title)).toBe(false)
  // An answer of this morning would be no news.
  await pool.query(`update alert_finding set found_at = now() - interval '2 hours'`)
  expect(Date.parse((await readStored(admin)).found_at)).toBeGreaterThan(Date.now() - 60_000)
})
