// Limits the concurrent calls to each host. A host that answers may have more and more; a host that has not answered yet has one call, from a
// small shared budget; a silent host is paused and then tried with one call. A dead host therefore does not slow the others. Pure: no clock, no I/O.

export interface HostLimits {
  /** How many calls may start now. */
  room(now: number): Room
  began(host: string): void
  /** `isAnswered`: any answer, also one that refuses. */
  ended(host: string, isAnswered: boolean, now: number): void
  /** HostLimits that are left alone. */
  resting(now: number): string[]
  readonly inFlight: number
}

export interface Room {
  /** How many more calls each host that answers may have. */
  readonly answering: Readonly<Record<string, number>>
  /** HostLimits that may have none now. */
  readonly closed: readonly string[]
  /** How many hosts that are not listed may have their one call. */
  readonly others: number
  readonly total: number
}

interface Host {
  inFlight: number
  /** Most calls at once. */
  limit: number
  /** Calls without an answer in a row. */
  silent: number
  restsUntil: number
  isAnswering: boolean
}

export const HOST_LIMITS = {
  total: 512,
  /** Of all calls, those to hosts that have not answered yet. */
  unproven: 192,
  host: 96,
  /** Calls in a row without an answer, after which a host is left alone. */
  silent: 5,
  restMs: 10_000,
  longestRestMs: 300_000,
} as const

export function createHostLimits(limits: { [K in keyof typeof HOST_LIMITS]: number } = HOST_LIMITS): HostLimits {
  const hosts = new Map<string, Host>()
  let inFlight = 0
  let unproven = 0

  function find(name: string): Host {
    const known = hosts.get(name)
    if (known !== undefined) return known
    const host = { inFlight: 0, limit: 1, silent: 0, restsUntil: 0, isAnswering: false }
    hosts.set(name, host)
    return host
  }

  function setAnswering(host: Host, isAnswering: boolean): void {
    if (host.isAnswering === isAnswering) return
    unproven += isAnswering ? -host.inFlight : host.inFlight
    host.isAnswering = isAnswering
  }

  function notePause(host: Host, now: number): void {
    host.limit = Math.max(1, Math.floor(host.limit / 2))
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
      } else notePause(host, now)
      // An answering, idle host needs no entry.
      if (host.inFlight === 0 && host.isAnswering && hosts.size > limits.total * 4) hosts.delete(name)
    },
    resting: (now) => [...hosts].filter(([, host]) => host.restsUntil > now).map(([name]) => name),
  }
}
