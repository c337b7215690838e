// How often a test with random input runs: in the suite as often as declared, under `npm run test:long` FUZZ_FACTOR times that.

const FACTOR = Number(process.env.FUZZ_FACTOR ?? 1)

export const fuzzRuns = (runs: number): number => runs * FACTOR
