// The call that says which of the first steps of an installation are done.
import { z } from 'zod'
import { ADMIN_ONLY } from '../access.ts'
import { defineCall } from '../call.ts'

/** In their order. Each but the click is an entity. */
export const START_STEPS = ['advertiser', 'offer', 'partner', 'offer_partner', 'click'] as const
export type StartStep = (typeof START_STEPS)[number]

/** Entities of the directory without which a step cannot be done; an installation begins without them. */
export const START_NEEDS = ['currency', 'country', 'traffic_source'] as const
export type StartNeed = (typeof START_NEEDS)[number]

/** A step is done if there is a row of it, whoever made it. `missing`: the needs without a row. */
export const startSteps = defineCall({
  name: 'start_steps',
  method: 'GET',
  path: 'start_steps',
  access: ADMIN_ONLY,
  answer: z.object({ done: z.array(z.enum(START_STEPS)), missing: z.array(z.enum(START_NEEDS)) }),
})
