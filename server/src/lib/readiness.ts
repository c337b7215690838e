// Decides by named checks whether this process can serve requests. Modules add checks; each has two seconds to answer.

const CHECK_MS = 2000

export interface Readiness {
  /** `check` rejects if the named dependency cannot serve. */
  add(name: string, check: () => Promise<void>): void
  /** Names of the failing checks; empty if the process is ready. */
  findFailing(): Promise<string[]>
  /** Makes the check `server` fail from now on, so that a load balancer sends no more requests. */
  startShutdown(): void
}

export function createReadiness(): Readiness {
  const checks = new Map<string, () => Promise<void>>()
  let isShuttingDown = false
  return {
    add: (name, check) => void checks.set(name, check),
    async findFailing() {
      if (isShuttingDown) return ['server']
      const results = await Promise.all(
        [...checks].map(async ([name, check]) => ((await passes(check)) ? undefined : name)),
      )
      return results.filter((name) => name !== undefined)
    },
    startShutdown() {
      isShuttingDown = true
    },
  }
}

async function passes(check: () => Promise<void>): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(resolve, CHECK_MS, false)
  try {
    return await Promise.race([check().then(() => true), late])
  } catch {
    return false
  } finally {
    clearTimeout(timer)
  }
}
