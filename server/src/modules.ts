// Lists the server modules in the order in which they start.

import { alertModule } from './alerts/module.ts'
import { accessModule } from './api/access-module.ts'
import { entityModule } from './api/entity-routes.ts'
import { liveModule } from './api/live-module.ts'
import { uploadModule } from './api/receive-upload.ts'
import { reportModule } from './api/report-routes.ts'
import { backupModule } from './backup/module.ts'
import { serveBackups } from './backup/requests.ts'
import { statusModule } from './calls/status-module.ts'
import { createFactsModule } from './facts/module.ts'
import { crmModule, mailModule, playerReportModule, sheetsModule } from './integrations/module.ts'
import { moneyModule } from './money/module.ts'
import { reportMailModule } from './reports/module.ts'
import type { ServerModule } from './server-module.ts'
import { postbackSenderModule, sendQualificationPostbacks, trackerModule } from './tracker/module.ts'

export const MODULES: readonly ServerModule[] = [
  accessModule,
  mailModule,
  liveModule,
  entityModule,
  reportModule,
  uploadModule,
  reportMailModule,
  alertModule,
  createFactsModule({ onQualified: sendQualificationPostbacks, beside: serveBackups }),
  backupModule,
  playerReportModule,
  moneyModule,
  sheetsModule,
  crmModule,
  trackerModule,
  postbackSenderModule,
  statusModule,
]
