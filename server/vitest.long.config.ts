// `npm run test:long`: what the suite does once, many times; and what only many times can show. One file after another.
import { defineConfig } from 'vitest/config'

/** Tests whose rounds or random runs can be more than the suite has time for. */
const REPEATED = [
  'backup',
  'budget-report',
  'crash',
  'reports-property',
  'server-process',
  'sheets-crash',
  'sheets-property',
  'entities-hostile',
  'facts-clicks',
  'facts-crash',
  'facts-qualification-record',
  'faults',
  'ledger-property',
  'statement-access',
  'statement-law',
  'supervisor',
  'tracker-several',
]

export default defineConfig({
  test: {
    include: [`test/*/{${REPEATED.join(',')}}.test.ts`, 'test/long/*.test.ts'],
    environment: 'node',
    globalSetup: ['test/support/run-postgres.ts'],
    setupFiles: ['test/support/file-setup.ts'],
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    env: { UV_THREADPOOL_SIZE: '16' },
  },
})
