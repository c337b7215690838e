// Job: books true-ups of all closed months every night, and when an admin asks for it.
import { z } from 'zod'
import { trueUp } from '../money/close.ts'
import { defineJob } from './registry.ts'

export const trueUpLedger = defineJob({
  name: 'true-up-ledger',
  schema: z.object({}),
  schedule: '41 2 * * *',
  isSingle: true,
  async handle(_data, { services }) {
    await trueUp(services)
  },
})
