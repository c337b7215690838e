// Finds the alerts of a viewer again; without a viewer, of all who have read theirs lately, so that they find them ready.

import { ROLE_KINDS } from '@tributary/contract/access'
import { LANGUAGES } from '@tributary/contract/language'
import { z } from 'zod'
import { findAlerts, readRecentViewers } from '../alerts/find-alerts.ts'
import { defineJob } from './registry.ts'

const viewer = z.strictObject({
  role: z.enum(ROLE_KINDS),
  partners: z.array(z.int()).nullable(),
  groupFilter: z.int().nullable().default(null),
  language: z.enum(LANGUAGES),
})

export const refreshAlerts = defineJob({
  name: 'find-alerts',
  schema: z.strictObject({ viewer: viewer.optional() }),
  schedule: '*/10 * * * *',
  timeoutSeconds: 540,
  async handle({ viewer: only }, { services, signal }) {
    for (const one of only === undefined ? await readRecentViewers(services) : [only]) {
      signal.throwIfAborted()
      await findAlerts(one, services, signal)
    }
  },
})
