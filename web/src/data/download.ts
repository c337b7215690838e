// A file that the server makes while it is being taken: how far it is, a way to stop, and the browser's own download at the end.
import { http } from './http.ts'
import type { Query } from './query-string.ts'

export interface DownloadAsk {
  readonly path: string
  readonly query?: Query | undefined
  /** With a body the file is asked for by POST. */
  readonly body?: unknown
}

export interface DownloadProgress {
  /** 0 to 1; the server foretells the size by its first rows, so it is held below 1 until the end. */
  readonly share: number
  readonly bytes: number
  /** Rows that the file will have; null when the server does not say. */
  readonly rows: number | null
}

export interface Download {
  readonly name: string
  readonly rows: number | null
}

const NEARLY = 0.99

/** Rejects with HttpError, or with the signal's reason; half a file is never kept. */
export async function download(
  ask: DownloadAsk,
  signal: AbortSignal,
  onProgress: (progress: DownloadProgress) => void,
): Promise<Download> {
  const method = ask.body === undefined ? 'GET' : 'POST'
  const answer = await http.open(method, ask.path, ask.body, { query: ask.query, signal, isEndless: true })
  const expected = Number(answer.headers.get('x-estimated-bytes') ?? 0)
  const total = answer.headers.get('x-total-rows')
  const rows = total === null ? null : Number(total)
  const parts: BlobPart[] = []
  let bytes = 0
  const reader = answer.body?.getReader()
  for (let next = await reader?.read(); next !== undefined && !next.done; next = await reader?.read()) {
    parts.push(next.value)
    bytes += next.value.length
    onProgress({ share: expected > 0 ? Math.min(NEARLY, bytes / expected) : 0, bytes, rows })
  }
  const name = readName(answer.headers.get('content-disposition')) ?? 'export'
  save(new Blob(parts, { type: answer.headers.get('content-type') ?? '' }), name)
  return { name, rows }
}

function readName(disposition: string | null): string | null {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? '')?.[1]
  return encoded === undefined ? null : decodeURIComponent(encoded)
}

function save(content: Blob, name: string): void {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The browser takes it in its own time.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
