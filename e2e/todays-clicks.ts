// Clicks of today. Reports open with today, and the demo has none soon after midnight.
import { call } from './admins.ts'
import type { Product } from './product.ts'

const PARTNER_OFFERS = 40
const CLICKS = 3
const BROWSER =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36'

/** Opens tracking links, each a few times. */
export async function makeTodaysClicks({ baseUrl }: Product, token: string): Promise<void> {
  const path = `offer_partner?limit=${PARTNER_OFFERS}&filter[state]=approved`
  const { items } = await call(baseUrl, 'GET', path, undefined, token)
  for (const { uuid } of items as { uuid: string }[])
    for (let count = 0; count < CLICKS; count++) {
      const { status } = await fetch(`${baseUrl}/c/${uuid}`, { redirect: 'manual', headers: { 'user-agent': BROWSER } })
      if (status !== 302) throw new Error(`a click was answered ${status}`)
    }
}
