// The server module of alerts: workers find them, and mail them once a day to the users who want that.
import { refreshAlerts } from '../jobs/find-alerts.ts'
import { mailAlerts } from '../jobs/mail-alerts.ts'
import { planAlertMails } from '../jobs/plan-alert-mails.ts'
import type { ServerModule } from '../server-module.ts'

export const alertModule: ServerModule = {
  name: 'alerts',
  roles: ['worker'],
  jobs: [mailAlerts, planAlertMails, refreshAlerts],
}
