// Job: books true-ups of all closed months every night, and when an admin asks for it.
import { z } from 'zod'
import { trueUpCurrent } from '../money/close.ts'
import { defineJob } from './registry.ts'

/** Facts are behind the record by less than a second, unless much has changed. */
const FACTS_WAIT_MS = 60_000
/** Until it looks again for what the facts did not contain. */
const AGAIN_SECONDS = 60

export const trueUpLedger = defineJob({
  name: 'true-up-ledger',
  schema: z.object({}),
  schedule: '41 2 * * *',
  isSingle: true,
  async handle(_data, { services }) {
    if (!(await trueUpCurrent(services, FACTS_WAIT_MS)))
      await services.jobs.enqueue(trueUpLedger, {}, { after: AGAIN_SECONDS })
  },
})
