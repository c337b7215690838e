// Lists the unallocated spend of a month: what the general report by advertiser, country and partner, and so the budget plan, cannot place.

import { earlierDay, today } from '@tributary/contract/period'
import { openReportContext, type ReportEngines } from '../engine/context.ts'
import { prepareDerive } from '../engine/derive.ts'
import { addSpendTitles } from '../engine/format.ts'
import type { Viewer } from '../engine/query.ts'
import { sumReport } from '../engine/run-report.ts'
import { CELLS_BY_PARTNER, openMonth } from './budget-spend.ts'

const LISTED = 500

export interface UnallocatedMonth {
  readonly items: readonly { country: string; partner: string; stream: string; date: string; price: number }[]
  /** The number of all items, listed or not. */
  readonly count: number
  readonly total: number
  readonly currency: string
}

/** `partner` null: all partners that the viewer sees. */
export async function readUnallocatedMonth(
  month: string,
  partner: number | null,
  viewer: Viewer,
  engines: ReportEngines,
  signal: AbortSignal,
): Promise<UnallocatedMonth> {
  const context = await openReportContext(viewer, engines, signal)
  const { first, last, today: day } = openMonth(month, today(context.setting.zone))
  const { currency } = context.setting
  if (day < first) return { items: [], count: 0, total: 0, currency }
  const filter = { dateFrom: first, dateTo: earlierDay(day, last), ...(partner !== null && { partners: [partner] }) }
  const shape = { levels: CELLS_BY_PARTNER, rowsBy: 'traffic', metrics: ['s'] } as const
  const { summed } = await sumReport({ filter, shape }, context)
  const derive = prepareDerive({ metrics: ['s'] })
  const derived = summed.unallocated.map((one) => ({ ...one, m: derive(one.components) }))
  const lost = derived.filter(({ m }) => m.s !== 0)
  const named = await addSpendTitles(lost.slice(0, LISTED), engines.postgres, viewer.language)
  const cents = lost.reduce((all, { m }) => all + Math.round(Number(m.s ?? 0) * 100), 0)
  return {
    items: named.map(({ listItem: { stream, country, partner, date, price } }) => ({
      stream,
      country,
      partner,
      date,
      price,
    })),
    count: lost.length,
    total: cents / 100,
    currency,
  }
}
