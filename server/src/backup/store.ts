// Where back-ups are stored: objects named by the SHA-256 of their content, so that equal content is stored once, and manifests that name them.

/** Who writes creates a folder that does not exist. */
export type StoreUse = 'read' | 'write'

export interface StoreEntry {
  readonly key: string
  readonly bytes: number
}

/** Keys are paths with slashes: `objects/ab/abcd…`, `manifests/2026-01-31T01-30-00.000Z.json`. */
export interface BackupStore {
  /** Folder for files before `put`. Its content may be deleted between two back-ups. */
  readonly staging: string
  /** Moves the file into the store. After it resolves, the object survives a power cut. */
  put(key: string, file: string): Promise<void>
  /** Makes the object readable under a new path in `staging`; its content must not be changed. Rejects with MissingObjectError if there is none. */
  fetch(key: string, file: string): Promise<void>
  list(prefix: 'objects/' | 'manifests/'): AsyncIterable<StoreEntry>
  remove(key: string): Promise<void>
  close(): Promise<void>
}

export class MissingObjectError extends Error {}

export const objectKey = (hash: string): string => `objects/${hash.slice(0, 2)}/${hash}`
export const manifestKey = (moment: Date): string => `manifests/${moment.toISOString().replaceAll(':', '-')}.json`
