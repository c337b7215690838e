// Whether an action of a screen runs, for its button.
import { useState } from 'react'
import { notifyFailure } from './notify.ts'

interface Busy {
  readonly isBusy: boolean
  /** Runs `work` and never rejects; a failure is shown as a notification, or given to `onFailure`. */
  readonly run: (work: () => Promise<unknown>, onFailure?: (error: unknown) => unknown) => Promise<void>
}

/** One state for all actions that are run by it. */
export function useBusy(): Busy {
  const [isBusy, setBusy] = useState(false)
  const run: Busy['run'] = async (work, onFailure = (error) => notifyFailure(error)) => {
    setBusy(true)
    try {
      await work()
    } catch (error) {
      await onFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, run }
}
