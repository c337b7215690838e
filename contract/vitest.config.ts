import { defineConfig } from 'vitest/config'

// Property tests with thousands of cases are slow on a busy machine.
export default defineConfig({ test: { include: ['**/*.test.ts'], environment: 'node', testTimeout: 60_000 } })
