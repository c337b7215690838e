// Logic of the screens only (list state, number and date forms, navigation): what needs a browser is tested by e2e.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { include: ['{src,test}/**/*.test.{ts,tsx}'], environment: 'node', isolate: false, testTimeout: 60_000 },
})
