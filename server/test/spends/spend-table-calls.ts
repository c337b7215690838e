// Calls of the spend table's tests, in the previous month, all of whose days have passed.

import type { SpendTable, SpendTableCell, SpendUpdateAnswer } from '@tributary/contract/calls/spend-table'
import { addDays, DEFAULT_ZONE, today } from '@tributary/contract/period'
import { done, type SpendGround } from '../support/entity-calls.ts'
import type { SignedIn, TestServer } from '../support/sign-in.ts'

export const TODAY = today(DEFAULT_ZONE)
export const MONTH = addDays(`${TODAY.slice(0, 7)}-01`, -1).slice(0, 7)
export const LAST_DAY = addDays(`${TODAY.slice(0, 7)}-01`, -1)
export const day = (number: number): string => `${MONTH}-${String(number).padStart(2, '0')}`

export const tableOf = async (admin: SignedIn, { net }: SpendGround): Promise<SpendTable> =>
  (await done(admin, 'GET', `partner_spend/table?partner=${net.partner.id}&month=${MONTH}`)) as unknown as SpendTable

export function cellOf(
  table: SpendTable,
  ground: SpendGround,
  date: string,
  site: string | null = null,
): SpendTableCell {
  const row = table.rows.find((one) => one.stream.id === ground.net.stream.id && one.site_id === site)
  const cell = row?.cells.find((one) => one.date === date)
  if (cell === undefined) throw new Error(`no cell of ${date}`)
  return cell
}

/** As if the offer had been paid by CPA from its first day on. */
export async function payByCpa({ services }: TestServer, { net }: SpendGround): Promise<void> {
  await services.postgres.pool.query('update offer set payment_model_id = 1 where id = $1', [net.offer.id])
  await services.postgres.pool.query('delete from offer_payment_model_history where offer_id = $1', [net.offer.id])
}

export interface Given {
  date: string
  base: string | null
  version?: number | null
  site_id?: string | null
  id?: number | null
  currency?: number
}

export const save = async (
  person: SignedIn,
  ground: SpendGround,
  cells: readonly Given[],
): Promise<SpendUpdateAnswer> =>
  (await done(person, 'PUT', 'partner_spend/update_table', {
    partner: ground.net.partner.id,
    month: MONTH,
    cells: cells.map((cell) => ({ stream: ground.net.stream.id, country: ground.net.country.id, ...cell })),
  })) as unknown as SpendUpdateAnswer
