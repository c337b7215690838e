// The players API, which returns players' figures of a day. Only this adapter knows the protocol.

import { z } from 'zod'
import { type CallerOptions, callIntegration, IntegrationFailure } from '../call-integration.ts'

export interface DayRequest {
  /** Business day. */
  readonly date: string
  /** The advertiser's name there: its CRM id, else its title. */
  readonly advertiser: string
  readonly siteIds: readonly string[]
}

const amount = z.union([z.number(), z.string()]).nullish()
const word = z.string().nullish()

/** Times without an offset are those of the advertisers' servers. */
const item = z.object({
  player_id: z.union([z.string(), z.number()]),
  report_date: word,
  registered_at: word,
  click_id: word,
  country: word,
  site_id: word,
  sub_id: word,
  promocode: word,
  currency: word,
  first_day_amount: amount,
  deposits_count: z.int().nonnegative().nullish(),
  deposits: amount,
  bets: amount,
  bonus: amount,
  commission: amount,
  total_commission: amount,
  income: amount,
})

const page = z.object({
  items: z.array(item),
  next_cursor: z.string().nullish(),
  warnings: z.array(z.string()).default([]),
})

export type PlayerItem = z.output<typeof item>

export interface PlayersPage {
  readonly items: readonly PlayerItem[]
  readonly warnings: readonly string[]
  /** The answer as received. */
  readonly original: unknown
}

export interface PlayersApi {
  /** Throws IntegrationFailure, or the signal's reason. */
  fetchDay(request: DayRequest, signal: AbortSignal): AsyncGenerator<PlayersPage>
}

const PAGE_ROWS = 1000
/** Maximum number of pages, because a cursor may repeat itself. */
const PAGES_CAP = 10_000

/** Creates a client of the API that docs/players-api.yaml describes. */
export function createPlayersApi(baseUrl: string, credential: string | null, options: CallerOptions): PlayersApi {
  return {
    async *fetchDay({ date, advertiser, siteIds }, signal) {
      let cursor: string | null = null
      for (let number = 0; number < PAGES_CAP; number++) {
        const answer = await callIntegration(
          {
            url: `${baseUrl}/v1/player-reports/query`,
            method: 'POST',
            body: { date, advertiser, site_ids: siteIds, limit: PAGE_ROWS, ...(cursor === null ? {} : { cursor }) },
            credential,
            idempotencyKey: `player-reports/${advertiser}/${date}/${number}`,
            signal,
          },
          options,
        )
        const read = page.safeParse(answer)
        if (!read.success) throw new IntegrationFailure(`not as agreed: ${describe(read.error)}`, 200)
        yield { items: read.data.items, warnings: read.data.warnings, original: answer }
        cursor = read.data.next_cursor ?? null
        if (cursor === null) return
      }
      throw new IntegrationFailure('the pages do not end', 200)
    },
  }
}

const describe = (error: z.ZodError): string =>
  error.issues
    .slice(0, 3)
    .map(({ path, message }) => `${path.join('.')} ${message}`)
    .join('; ')
