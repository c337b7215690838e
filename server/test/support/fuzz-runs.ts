// The number of runs of a test with random input: as declared, or FUZZ_FACTOR times as many under `npm run test:long`.

const FACTOR = Number(process.env.FUZZ_FACTOR ?? 1)

export const fuzzRuns = (runs: number): number => runs * FACTOR
