// What a test file opens is closed at the end of the file, last first, also when a test fails and when a test itself opened it: Vitest
// ignores hooks that are added inside a test. One process runs many files, so nothing may stay open.

type Step = () => unknown

const steps: Step[] = []

/** Runs the step at the end of the file under way. */
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
