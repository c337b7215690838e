import { trueUpLedger } from '../jobs/true-up-ledger.ts'
import type { ServerModule } from '../server-module.ts'

export const moneyModule: ServerModule = { name: 'money', roles: ['worker'], jobs: [trueUpLedger] }
