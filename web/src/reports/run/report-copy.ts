// The browser's own copy of a report's last answer: kept only when it is valid and small, given back only to the same question of the same person.
import { type KeyStore, writeStored } from '../../lib/storage.ts'

/** A result has fewer entries than this, or it is not kept. */
export const COPY_ENTRIES_CAP = 5000
/** Characters of the whole copy, about 1.5 MB. */
const COPY_CHARS_CAP = 1_500_000

export interface ReportCopy<A> {
  /** The question, with everything that its answer depends on. */
  readonly key: string
  /** Milliseconds. */
  readonly saved_at: number
  readonly answer: A
}

export const COPY_PREFIX = 'report:data:'
const placeOf = (name: string): string => `${COPY_PREFIX}${name}`

/** All of them: their person is gone, or may see something else from now on. */
export function forgetCopies(store: KeyStore): void {
  for (const key of Object.keys(store)) if (key.startsWith(COPY_PREFIX)) remove(store, key)
}

/** Null when there is none of that question; one that cannot be read is removed. */
export function readCopy<A>(
  store: KeyStore,
  name: string,
  key: string,
  isValid: (answer: unknown) => answer is A,
): ReportCopy<A> | null {
  const place = placeOf(name)
  try {
    const text = store.getItem(place)
    if (text === null) return null
    const copy: unknown = JSON.parse(text)
    if (isCopy(copy) && isValid(copy.answer)) return copy.key === key ? { ...copy, answer: copy.answer } : null
  } catch {
    // Falls through: what cannot be read is of no use.
  }
  remove(store, place)
  return null
}

/** Keeps the answer, or removes the copy that it would have replaced. True when it is kept. */
export function keepCopy<A>(
  store: KeyStore,
  name: string,
  copy: ReportCopy<unknown>,
  isValid: (answer: unknown) => answer is A,
  countEntries: (answer: A) => number,
): boolean {
  const place = placeOf(name)
  const { answer } = copy
  const isSmall = isValid(answer) && countEntries(answer) < COPY_ENTRIES_CAP
  if (isSmall && JSON.stringify(copy).length <= COPY_CHARS_CAP && writeStored(store, place, copy)) return true
  remove(store, place)
  return false
}

function remove(store: KeyStore, place: string): void {
  try {
    store.removeItem(place)
  } catch {
    // A store that refuses to forget has nothing of ours.
  }
}

function isCopy(value: unknown): value is ReportCopy<unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    'key' in value &&
    typeof value.key === 'string' &&
    'saved_at' in value &&
    typeof value.saved_at === 'number' &&
    'answer' in value
  )
}
