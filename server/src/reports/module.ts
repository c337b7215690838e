// The server module of report mails: servers with the role worker make and send them.
import { sendDueReports } from '../jobs/send-due-reports.ts'
import { sendReport } from '../jobs/send-report.ts'
import type { ServerModule } from '../server-module.ts'

export const reportMailModule: ServerModule = {
  name: 'report mails',
  roles: ['worker'],
  jobs: [sendReport, sendDueReports],
}
