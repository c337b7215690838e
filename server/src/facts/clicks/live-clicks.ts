// Tells open screens of new clicks: the newest few of a batch for each partner.

import type { LiveMessage } from '@tributary/contract/live'
import type { Postgres } from '../../postgres/client.ts'
import { publishAllLive } from '../../postgres/live.ts'
import { CLICK_COLUMNS } from '../columns.ts'

const PARTNER = CLICK_COLUMNS.indexOf('partner_id')
const ID = CLICK_COLUMNS.indexOf('id')
/** Of the end of a batch. */
const BYTES = 256 * 1024
const IDS = 20
const PARTNERS = 100

/** `lines`: tab-separated, as they went to ClickHouse. */
export function newsOfClicks(lines: Buffer): LiveMessage[] {
  const byPartner = new Map<number, string[]>()
  const end = lines.subarray(Math.max(0, lines.length - BYTES)).toString('latin1')
  const whole = lines.length > BYTES ? end.slice(end.indexOf('\n') + 1) : end
  for (const line of whole.split('\n').reverse()) {
    const cells = line.split('\t', Math.max(PARTNER, ID) + 1)
    const [partner, id] = [Number(cells[PARTNER]), cells[ID] ?? '']
    if (!Number.isInteger(partner) || id === '') continue
    const ids = byPartner.get(partner)
    if (ids !== undefined) {
      if (ids.length < IDS) ids.push(id)
    } else if (byPartner.size < PARTNERS) byPartner.set(partner, [id])
  }
  return [...byPartner].map(([partner, ids]) => ({ topic: 'click', payload: { ids }, to: { partner } }))
}

export const publishClicks = (postgres: Postgres, lines: Buffer): Promise<void> =>
  publishAllLive(postgres.db, newsOfClicks(lines))
