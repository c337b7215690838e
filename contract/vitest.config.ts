import { defineConfig } from 'vitest/config'

// A property of thousands of cases takes its time on a busy machine.
export default defineConfig({ test: { include: ['**/*.test.ts'], environment: 'node', testTimeout: 60_000 } })
