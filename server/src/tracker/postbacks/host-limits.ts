// Limits concurrent calls to each host, so that a dead host does not slow the others. A host that answers gets more and more calls; one that has
// not answered yet gets one call of a small shared budget; a silent host is paused and then gets one call.

export interface HostLimits {
  /** The calls that may start now. `now` is in milliseconds. */
  room(now: number): Room
  began(host: string): void
  /** `isAnswered` is true for any answer, even an error status. */
  ended(host: string, isAnswered: boolean, now: number): void
  /** Hosts that are paused. */
  resting(now: number): string[]
  /** Numbers of known hosts that are called and that are paused. */
  count(now: number): { open: number; shut: number }
  readonly inFlight: number
}

export interface Room {
  /** For each answering host, the number of further calls. */
  readonly answering: Readonly<Record<string, number>>
  /** Hosts that must not be called now. */
  readonly closed: readonly string[]
  /** The number of unlisted hosts that may get one call each. */
  readonly others: number
  readonly total: number
}

interface Host {
  inFlight: number
  /** The maximum of concurrent calls. */
  limit: number
  /** Consecutive calls without an answer. */
  silent: number
  restsUntil: number
  isAnswering: boolean
}

export const HOST_LIMITS = {
  total: 512,
  /** The maximum of concurrent calls to hosts that have not answered yet. */
  unproven: 192,
  host: 96,
  /** After this many consecutive calls without an answer a host is paused. */
  silent: 5,
  restMs: 10_000,
  longestRestMs: 300_000,
} as const

export function createHostLimits(limits: { [K in keyof typeof HOST_LIMITS]: number } = HOST_LIMITS): HostLimits {
  const hosts = new Map<string, Host>()
  let inFlight = 0
  let unproven = 0

  function find(name: string): Host {
    const existing = hosts.get(name)
    if (existing !== undefined) return existing
    const host = { inFlight: 0, limit: 1, silent: 0, restsUntil: 0, isAnswering: false }
    hosts.set(name, host)
    return host
  }

  function setAnswering(host: Host, isAnswering: boolean): void {
    if (host.isAnswering === isAnswering) return
    unproven += isAnswering ? -host.inFlight : host.inFlight
    host.isAnswering = isAnswering
  }

  function noteSilence(host: Host, now: number): void {
    host.limit = Math.max(1, Math.floor(host.limit / 2))
    // Calls that were in flight when the pause began do not lengthen it.
    if (host.restsUntil > now) return
    host.silent++
    if (host.silent < limits.silent) return
    setAnswering(host, false)
    const doublings = Math.min(10, host.silent - limits.silent)
    host.restsUntil = now + Math.min(limits.longestRestMs, limits.restMs * 2 ** doublings)
  }

  return {
    get inFlight() {
      return inFlight
    },
    room(now) {
      const answering: Record<string, number> = {}
      const closed: string[] = []
      for (const [name, host] of hosts) {
        if (host.isAnswering) answering[name] = Math.max(0, host.limit - host.inFlight)
        else if (host.inFlight > 0 || host.restsUntil > now) closed.push(name)
      }
      return {
        answering,
        closed,
        others: Math.max(0, limits.unproven - unproven),
        total: Math.max(0, limits.total - inFlight),
      }
    },
    began(name) {
      const host = find(name)
      host.inFlight++
      inFlight++
      if (!host.isAnswering) unproven++
    },
    ended(name, isAnswered, now) {
      const host = find(name)
      host.inFlight--
      inFlight--
      if (!host.isAnswering) unproven--
      if (isAnswered) {
        setAnswering(host, true)
        host.silent = 0
        host.restsUntil = 0
        host.limit = Math.min(limits.host, host.limit * 2)
      } else noteSilence(host, now)
      // An answering host without calls needs no entry.
      if (host.inFlight === 0 && host.isAnswering && hosts.size > limits.total * 4) hosts.delete(name)
    },
    count(now) {
      const shut = [...hosts.values()].filter(({ restsUntil }) => restsUntil > now).length
      return { open: hosts.size - shut, shut }
    },
    resting: (now) => [...hosts].filter(([, host]) => host.restsUntil > now).map(([name]) => name),
  }
}
