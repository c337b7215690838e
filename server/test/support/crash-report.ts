// Reads the product's own API after a crash: the report once it is up to date, and every click behind its number.

import type { GeneralReportAnswer, GeneralReportRowsAnswer } from '@tributary/contract/reports/general'
import { expect } from 'vitest'
import { makeCode, makeTwoFactorSecret } from '../../src/access/two-factor.ts'
import { awaitNextStep, PASSWORD, STEP_MS, send } from './sign-in.ts'
import type { Traffic } from './traffic.ts'

export const ADMIN = { email: 'admin@tributary.test', secret: makeTwoFactorSecret() }
export const ADMIN_ENV = { ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: PASSWORD, ADMIN_TOTP_SECRET: ADMIN.secret }

const PAGE = 10_000
const DAY_MS = 86_400_000

/**
 * A code is valid once, also on a copy of the record, and so are those of the steps beside the current one: if it was used, the next one is sent
 * ahead of its time, and only if that was used as well this waits.
 */
export async function signInAdmin(url: string): Promise<string> {
  let answer = await sendCode(url, 0)
  if (answer.status === 400) answer = await sendCode(url, STEP_MS)
  if (answer.status === 400) {
    await awaitNextStep()
    answer = await sendCode(url, STEP_MS)
  }
  expect(answer.status).toBe(200)
  return ((await answer.json()) as { token: string }).token
}

function sendCode(url: string, aheadMs: number): Promise<Response> {
  const code = makeCode(ADMIN.secret, new Date(Date.now() + aheadMs))
  return send(url, 'POST', 'token?2fa=true', { email: ADMIN.email, password: PASSWORD, code })
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
/** From the day before to the day after, so that time zones and midnight do not matter. */
const filter = () => ({
  groupBy: 'offer',
  dateFrom: dayOf(Date.now() - DAY_MS),
  dateTo: dayOf(Date.now() + DAY_MS),
})

/** Comes back when the answer says so, as after a crash of an engine. */
async function ask<T>(url: string, token: string, path: string, body: object): Promise<T> {
  for (;;) {
    const answer = await send(url, 'POST', path, body, { authorization: `Bearer ${token}` })
    if (answer.status === 200) return (await answer.json()) as T
    if (answer.status !== 503) throw new Error(`${path} was answered ${answer.status}: ${await answer.text()}`)
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

/** Waits for a report that contains everything up to the moment of this call. */
async function readReport(url: string, token: string): Promise<GeneralReportAnswer> {
  const asked = Date.now()
  for (;;) {
    const answer = await ask<GeneralReportAnswer>(url, token, 'general_report', { filter: filter() })
    if (Date.parse(answer.watermark) >= asked) return answer
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

/** Ids of all counted clicks, once the report contains everything up to the moment of this call. */
export async function readCountedClicks(url: string, token: string): Promise<string[]> {
  const { total } = await readReport(url, token)
  const ids = await readClickIds(url, token)
  expect(total.cc).toBe(ids.length)
  return ids
}

async function readClickIds(url: string, token: string): Promise<string[]> {
  const ids: string[] = []
  for (let page = 1; ; page++) {
    const answer = await ask<GeneralReportRowsAnswer>(url, token, 'general_report/rows', {
      filter: filter(),
      cell: { path: [], metric: 'cc' },
      pagination: { page, limit: PAGE },
    })
    for (const item of answer.items) if ('id' in item) ids.push(item.id)
    if (page >= answer.pagination.maxPageNumber) return ids
  }
}

/** Waits until the clicks screen shows the click. */
export async function readClick(url: string, token: string, id: string): Promise<{ canonical_id: string | null }> {
  for (;;) {
    const answer = await send(url, 'GET', `click/${id}`, undefined, { authorization: `Bearer ${token}` })
    if (answer.status === 200) return (await answer.json()) as { canonical_id: string | null }
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

/** Expects that everything confirmed is counted once and nothing else; `beside` is other traffic. */
export async function expectCountedOnce(
  url: string,
  token: string,
  traffic: Traffic,
  beside: { clicks: number; unique: number } = { clicks: 0, unique: 0 },
): Promise<void> {
  const { total } = await readReport(url, token)
  const ids = await readClickIds(url, token)
  const counted = new Set(ids)
  expect(ids.length - counted.size, 'clicks counted twice').toBe(0)
  expect(
    traffic.confirmed.filter((id) => !counted.has(id)),
    'confirmed clicks that are lost',
  ).toEqual([])
  expect(total.cc).toBe(ids.length)
  // Every visitor came once, with an IP of their own.
  expect(total.uc).toBe(ids.length - beside.clicks + beside.unique)
  expect(ids.length).toBeLessThanOrEqual(traffic.confirmed.length + traffic.open() + beside.clicks)
  const amount = [...traffic.deposits.values()].reduce((sum, one) => sum + one, 0)
  expect(total).toMatchObject({
    cr: traffic.registrations.size,
    nd: traffic.registrations.size,
    deposits: traffic.deposits.size,
    deposits_amount: amount,
  })
}
