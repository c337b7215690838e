// The server module of back-ups. `serveBackups` runs beside the writing of facts, which it pauses for a moment.

import type { ServerModule } from '../server-module.ts'
import { backupCommand } from './requests.ts'
import { restoreCommand } from './restore.ts'
import { verifyCommand } from './verify.ts'

export const backupModule: ServerModule = {
  name: 'back-ups',
  roles: ['worker'],
  commands: { backup: backupCommand },
  offlineCommands: { restore: restoreCommand, 'backup:verify': verifyCommand },
}
