// Job: deletes uploaded files that no record uses.
import { z } from 'zod'
import { dropUnusedUploads } from '../entities/upload.ts'
import { defineJob } from './registry.ts'

export const dropUploads = defineJob({
  name: 'drop-uploads',
  schema: z.strictObject({}),
  schedule: '17 * * * *',
  isSingle: true,
  async handle(_data, { services }) {
    const dropped = await dropUnusedUploads(services)
    if (dropped > 0) services.log.info({ dropped }, 'forgotten uploads were dropped')
  },
})
