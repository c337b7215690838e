// Parses the spend sheet of a partner for some months, and publishes its progress to the user who started it.

import { PARSE_TRIGGERS } from '@tributary/contract/entities/google-parse-result'
import { LANGUAGES } from '@tributary/contract/language'
import { say } from '@tributary/contract/words/messages'
import { z } from 'zod'
import { readReportCurrency } from '../entities/rules/finance.ts'
import { judgeSpends, type SpendRejection } from '../entities/spends/judge-cell.ts'
import { parseFile } from '../integrations/sheets/parse-file.ts'
import { keyOfCell } from '../integrations/sheets/place-cells.ts'
import type { Verdict } from '../integrations/sheets/plan-take.ts'
import type { WarningKey } from '../integrations/sheets/sheet-warning.ts'
import type { Judge } from '../integrations/sheets/take-tab.ts'
import { publishLive } from '../postgres/live.ts'
import type { Services } from '../services.ts'
import { checkTarget, resolveTarget } from '../tracker/postbacks/target-guard.ts'
import { defineJob } from './registry.ts'

export const PARSE_JOB = 'sheet_parse'
/** Six tries of two calls, each of which may ask to wait. */
const TIMEOUT_SECONDS = 1800

export const parseSheet = defineJob({
  name: 'parse-sheet',
  schema: z.strictObject({
    partner: z.int(),
    group: z.int().nullable(),
    file: z.string(),
    months: z.array(z.string()).min(1),
    trigger: z.enum(PARSE_TRIGGERS),
    startedBy: z.int().nullable(),
    takesRemovals: z.boolean(),
    /** The language of the user who started it. */
    language: z.enum(LANGUAGES).default('en'),
  }),
  // One waits and one runs for each file.
  isSingle: true,
  concurrency: 2,
  timeoutSeconds: TIMEOUT_SECONDS,
  // Together longer than the pause after failures in a row.
  retry: { limit: 4, delaySeconds: 30, backoff: true, maxDelaySeconds: 600 },
  async handle({ language, ...data }, { services, signal, id, isLastAttempt }) {
    const publish = progressPublisher(services, id, data.startedBy)
    try {
      const currency = (await readReportCurrency(services.postgres.db)) ?? null
      const options = {
        guard: { check: checkTarget, resolve: resolveTarget },
        allowsPrivateTargets: services.config.allowPrivateTargets,
        judge: judgeBy(services),
        currency,
        // A waiting user sees a failure at once.
        isPatient: data.trigger !== 'manual' && !isLastAttempt,
        onStep: (done: number, total: number) => void publish('running', { done, total }),
      }
      const results = await parseFile(services, { ...data, requestId: id }, options, signal)
      if (results === undefined) await publish('failed', { message: say(language, 'sheet_parse_runs') })
      else await publish('done', {})
    } catch (error) {
      if (isLastAttempt) await publish('failed', { message: say(language, 'internal') })
      throw error
    }
  },
})

/** Publishes one after another: a step that arrives after the end would leave the screen waiting. */
function progressPublisher(
  { postgres, log }: Services,
  id: string,
  user: number | null,
): (state: 'running' | 'done' | 'failed', more: { done?: number; total?: number; message?: string }) => Promise<void> {
  let last = Promise.resolve()
  return (state, more) => {
    if (user === null) return last
    last = last
      .then(() => publishLive(postgres.db, 'job', { job: PARSE_JOB, id, state, ...more }, { users: [user] }))
      .catch((error: unknown) => log.debug({ error }, 'the progress of a parse was not published'))
    return last
  }
}

const KEYS: Readonly<Record<SpendRejection, WarningKey>> = {
  date_future: 'sheet_date_future',
  spend_link_missing: 'sheet_link_missing',
  spend_site_missing: 'sheet_site_missing',
  not_agency: 'sheet_paid_otherwise',
  spend_without_activity: 'sheet_without_activity',
}

/** The rules of spends, worded for sheets. */
export const judgeBy =
  ({ postgres, clickhouse }: Pick<Services, 'postgres' | 'clickhouse'>): Judge =>
  async (cells) => {
    const spends = cells.map(({ cell: { stream, country, site, date }, offerPartner, isNew }) => ({
      place: { stream, country, site, day: date },
      currentId: offerPartner,
      // A changed cell of a sheet changes its spend.
      isRaised: isNew,
    }))
    const verdicts = await judgeSpends(postgres.db, { clickhouse }, spends)
    return new Map(
      cells.flatMap(({ cell }, index): [string, Verdict][] => {
        const verdict = verdicts[index]
        if (verdict === undefined) return []
        const translated =
          'offerPartner' in verdict ? verdict : { rejected: KEYS[verdict.rejected], values: verdict.values }
        return [[keyOfCell(cell), translated]]
      }),
    )
  }
