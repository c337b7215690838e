// The cause of a change of facts: what, who and when. The fact logs store it with every version of a row.

/** What changed a fact: the cause's text, the user (0 for machines), the request and the time. */
export interface Cause {
  readonly cause: string
  readonly actorId: number
  readonly requestId: string
  /** Milliseconds since 1970. */
  readonly at: number
}

/** Finds the cause of each key that a write covers. */
export interface Causes {
  forKey(key: number): Cause
}

/** `byKey` overrides the common cause for single keys. */
export const causedBy = (common: Cause, byKey: ReadonlyMap<number, Cause> = new Map()): Causes => ({
  forKey: (key) => byKey.get(key) ?? common,
})

/** The common cause where every key has an entry in `byKey`. */
export const NO_CAUSE: Cause = { cause: '', actorId: 0, requestId: '', at: 0 }

const DAY_MS = 86_400_000
const digits = (value: number, length: number): string => String(value).padStart(length, '0')
let lastDay = -1
let lastDate = ''

/** 'YYYY-MM-DD hh:mm:ss.mmm' in UTC. Bulk loads call it a million times, so it formats each day once. */
export function timeText(milliseconds: number): string {
  const day = Math.floor(milliseconds / DAY_MS)
  if (day !== lastDay) {
    lastDate = new Date(day * DAY_MS).toISOString().slice(0, 10)
    lastDay = day
  }
  const time = milliseconds - day * DAY_MS
  const minutes = Math.floor(time / 60_000)
  const seconds = digits(Math.floor(time / 1000) % 60, 2)
  return `${lastDate} ${digits(Math.floor(minutes / 60), 2)}:${digits(minutes % 60, 2)}:${seconds}.${digits(Math.floor(time % 1000), 3)}`
}

/** The values of LOG_COLUMNS as a JSON array without its brackets. */
export const logContent = ({ cause, actorId, requestId, at }: Cause): string =>
  JSON.stringify([timeText(at), cause, actorId, requestId]).slice(1, -1)
