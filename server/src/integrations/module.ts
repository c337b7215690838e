// Server modules of the integrations.
import { importReports } from '../jobs/import-reports.ts'
import { parseSheet } from '../jobs/parse-sheet.ts'
import { planSheetParses } from '../jobs/plan-sheet-parses.ts'
import { retrievePlayers } from '../jobs/retrieve-players.ts'
import { sendInvoices } from '../jobs/send-invoices.ts'
import { AppError } from '../lib/app-error.ts'
import { isSendingHeld } from '../postgres/sending.ts'
import type { ServerModule } from '../server-module.ts'
import { createMailer, mailer } from './mail.ts'
import { createSharedSheets, sharedSheets } from './sheets/open-sheets.ts'

export const mailModule: ServerModule = {
  name: 'mail',
  roles: ['api', 'worker'],
  async start(services) {
    const mails = createMailer(services.config)
    mailer.fill(services, {
      async send(mail) {
        // Jobs that send wait by themselves; this also holds back any other mail.
        if (await isSendingHeld(services.postgres.pool)) throw new AppError('unavailable')
        await mails.send(mail)
      },
      close: () => mails.close(),
    })
    return { stop: async () => mails.close() }
  },
}

/** Sends invoices to the CRM. */
export const crmModule: ServerModule = { name: 'CRM', roles: ['api', 'worker'], jobs: [sendInvoices] }

/** Imports player reports from files and from the players API. */
export const playerReportModule: ServerModule = {
  name: 'player reports',
  roles: ['api', 'worker'],
  jobs: [importReports, retrievePlayers],
  async onListening({ config, jobs }) {
    // Interrupted imports continue at once.
    if (config.roles.includes('worker')) await jobs.enqueue(importReports, {})
  },
}

/** Spends that partners keep in Google Sheets. */
export const sheetsModule: ServerModule = {
  name: 'spend sheets',
  roles: ['api', 'worker'],
  jobs: [parseSheet, planSheetParses],
  async start(services) {
    sharedSheets.fill(services, createSharedSheets())
    return undefined
  },
}
