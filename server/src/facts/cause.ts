// Who or what changed a fact, and when. The logs keep it with every version.

export interface Cause {
  readonly cause: string
  readonly actorId: number
  readonly requestId: string
  /** Milliseconds. */
  readonly at: number
}

/** The latest of the causes of each key; a key without one takes the common one. */
export interface Causes {
  of(key: number): Cause
}

export const causedBy = (common: Cause, own: ReadonlyMap<number, Cause> = new Map()): Causes => ({
  of: (key) => own.get(key) ?? common,
})

/** For keys that all have a cause of their own. */
export const NO_CAUSE: Cause = { cause: '', actorId: 0, requestId: '', at: 0 }

const DAY_MS = 86_400_000
const digits = (value: number, length: number): string => String(value).padStart(length, '0')
let lastDay = -1
let lastDate = ''

/** UTC, as ClickHouse reads it. Fast, because bulk loads call it a million times. */
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

/** The values of the log's own columns, as JSON without the brackets. */
export const logContent = ({ cause, actorId, requestId, at }: Cause): string =>
  JSON.stringify([timeText(at), cause, actorId, requestId]).slice(1, -1)
