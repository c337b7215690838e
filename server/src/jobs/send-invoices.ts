// Sends queued invoices to the CRM and asks what became of sent ones.
import { z } from 'zod'
import { findDueInvoices, sendInvoice } from '../integrations/crm/send-invoice.ts'
import { checkTarget, resolveTarget } from '../tracker/postbacks/target-guard.ts'
import { defineJob } from './registry.ts'

export const sendInvoices = defineJob({
  name: 'send-invoices',
  isSending: true,
  schema: z.object({}),
  // Every minute, because failed attempts wait for a moment of their own.
  schedule: '* * * * *',
  isSingle: true,
  timeoutSeconds: 3600,
  retry: { limit: 2, delaySeconds: 10 },
  async handle(_data, { services, signal }) {
    const guard = { check: checkTarget, resolve: resolveTarget }
    const options = { guard, allowsPrivateTargets: services.config.allowPrivateTargets }
    const failures: unknown[] = []
    for (const id of await findDueInvoices(services)) {
      signal.throwIfAborted()
      await sendInvoice(services, id, options, signal).catch((error: unknown) => failures.push(error))
    }
    if (failures.length > 0) throw failures[0]
  },
})
