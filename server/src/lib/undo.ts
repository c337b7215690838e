// Steps that stop what has been started, in reverse.
import type { Logger } from './log.ts'

/** Steps that stop what has been started; run in reverse, also if a later step of the start fails. */
export type Undo = () => Promise<void> | void

export async function stopAll(undo: Undo[], log: Logger): Promise<void> {
  for (const step of undo.splice(0).reverse()) {
    try {
      await step()
    } catch (error) {
      log.error({ error }, 'something did not stop in order')
    }
  }
}
