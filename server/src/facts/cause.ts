// Who or what made a fact change, and when: kept with every version in the logs.

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

/** Where every key has a cause of its own. */
export const NOBODY: Cause = { cause: '', actorId: 0, requestId: '', at: 0 }

/** UTC, as ClickHouse reads it. */
export function timeText(milliseconds: number): string {
  const iso = new Date(milliseconds).toISOString()
  return `${iso.slice(0, 10)} ${iso.slice(11, 23)}`
}

/** The values of the log's own columns, as JSON without the brackets. */
export const logContent = ({ cause, actorId, requestId, at }: Cause): string =>
  JSON.stringify([timeText(at), cause, actorId, requestId]).slice(1, -1)
