import { defineConfig } from 'vitest/config'
import { LongFirst } from './test/support/long-first.ts'

const shared = {
  environment: 'node',
  pool: 'forks',
  setupFiles: ['test/support/file-setup.ts'],
  testTimeout: 120_000,
  hookTimeout: 120_000,
  env: { UV_THREADPOOL_SIZE: '16' },
} as const
/** They put other modules in the place of the real ones, so that nothing may have been loaded before. */
const WITH_MOCKS = ['test/access/access-login.test.ts', 'test/postbacks/tracker-target.test.ts']

// One PostgreSQL for the run and a database for each file. A process runs one file after another, so that the product is loaded a few times and
// not a hundred times; it can have one ClickHouse directory at a time. Three at once on two cores, because files wait for a third of their time.
export default defineConfig({
  test: {
    globalSetup: ['test/support/run-postgres.ts'],
    sequence: { sequencer: LongFirst },
    maxWorkers: 3,
    projects: [
      {
        test: {
          name: 'server',
          include: ['test/**/*.test.ts', 'src/**/*.test.ts'],
          exclude: [...WITH_MOCKS, 'test/long/**'],
          isolate: false,
          ...shared,
        },
      },
      { test: { name: 'mocks', include: WITH_MOCKS, isolate: true, ...shared } },
    ],
  },
})
