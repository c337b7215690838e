// `npm run test:long`: what the suite does once, many times; and what only many times can show. One file after another.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/{chaos,crash,reports-property}.test.ts', 'test/long/*.test.ts'],
    environment: 'node',
    globalSetup: ['test/run-postgres.ts'],
    setupFiles: ['test/file-setup.ts'],
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    env: { UV_THREADPOOL_SIZE: '16' },
  },
})
