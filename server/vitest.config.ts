import { defineConfig } from 'vitest/config'
import { LongFirst } from './test/long-first.ts'

// One PostgreSQL for the run; one process for each file, because a process can have one ClickHouse directory. Two at once: each file brings
// engines of its own, and the machine may have two cores.
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts', 'src/**/*.test.ts'],
    environment: 'node',
    globalSetup: ['test/run-postgres.ts'],
    pool: 'forks',
    isolate: true,
    sequence: { sequencer: LongFirst },
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    env: { UV_THREADPOOL_SIZE: '16' },
  },
})
