// The browser's copy of a report's last answer: stored only if valid and small, used only for the same request of the same user.
import { type KeyStore, writeStored } from '../../lib/storage.ts'

/** Answers with this many entries or more are not stored. */
export const COPY_ENTRIES_CAP = 5000
/** Characters of the whole copy, about 1.5 MB. */
const COPY_CHARS_CAP = 1_500_000

export interface ReportCopy<A> {
  /** The request, with everything that its answer depends on. */
  readonly key: string
  /** Milliseconds. */
  readonly saved_at: number
  /** The version of the facts before the answer was asked for. */
  readonly version: string
  readonly answer: A
}

export const COPY_PREFIX = 'report:data:'
const storageKey = (name: string): string => `${COPY_PREFIX}${name}`

/** Removes all copies, when the user signs out or their permissions change. */
export function forgetCopies(store: KeyStore): void {
  for (const key of Object.keys(store)) if (key.startsWith(COPY_PREFIX)) remove(store, key)
}

/**
 * Null if there is no copy of this request at this version of the facts; an unreadable copy is removed. '' is no version: facts are
 * being written.
 */
export function readCopy<A>(
  store: KeyStore,
  name: string,
  { key, version }: Pick<ReportCopy<A>, 'key' | 'version'>,
  isValid: (answer: unknown) => answer is A,
): ReportCopy<A> | null {
  const place = storageKey(name)
  try {
    const text = store.getItem(place)
    if (text === null) return null
    const copy: unknown = JSON.parse(text)
    if (isCopy(copy) && isValid(copy.answer)) {
      const isSame = copy.key === key && copy.version === version && version !== ''
      return isSame ? { ...copy, answer: copy.answer } : null
    }
  } catch {
    // Falls through: an unreadable copy is removed.
  }
  remove(store, place)
  return null
}

/** Stores the answer, or removes the older copy. True if it is stored. */
export function storeCopy<A>(
  store: KeyStore,
  name: string,
  copy: ReportCopy<unknown>,
  isValid: (answer: unknown) => answer is A,
  countEntries: (answer: A) => number,
): boolean {
  const place = storageKey(name)
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
    // A store that denies removal contains no copies either.
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
    'version' in value &&
    typeof value.version === 'string' &&
    'answer' in value
  )
}
