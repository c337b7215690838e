// Runs clean-up steps at the end of a test file, last first, even if a test fails or opened something itself: Vitest ignores hooks added inside
// a test. One process runs many files, so nothing may stay open.

type Step = () => unknown

const steps: Step[] = []

/** Registers a step for the end of the current file. */
export function atEndOfFile(step: Step): void {
  steps.push(step)
}

/** Runs every step, also after one has failed, and throws the first error. */
export async function cleanUp(): Promise<void> {
  const errors: unknown[] = []
  for (const step of steps.splice(0).reverse()) {
    try {
      await step()
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 0) throw errors[0]
}
