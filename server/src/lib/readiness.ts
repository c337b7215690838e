// Whether this process can serve requests: named checks, to which modules add. Each has two seconds to answer.

const CHECK_MS = 2000

export interface Readiness {
  /** `check` rejects if the named dependency cannot serve. */
  add(name: string, check: () => Promise<void>): void
  /** Names of the failing checks; empty if the process is ready. */
  findMissing(): Promise<string[]>
  /** Reports `server` as missing from now on, so that a load balancer sends no more requests. */
  leave(): void
}

export function createReadiness(): Readiness {
  const checks = new Map<string, () => Promise<void>>()
  let isLeaving = false
  return {
    add: (name, check) => void checks.set(name, check),
    async findMissing() {
      if (isLeaving) return ['server']
      const results = await Promise.all(
        [...checks].map(async ([name, check]) => ((await passes(check)) ? undefined : name)),
      )
      return results.filter((name) => name !== undefined)
    },
    leave() {
      isLeaving = true
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
