// Downloads a file that the server streams, reports progress, and saves the file by the browser. It can be cancelled.
import { http } from './http.ts'
import type { Query } from './http-client.ts'
import { followCall, newRequestId } from './live.ts'

export interface DownloadRequest {
  readonly path: string
  readonly query?: Query | undefined
  /** A request with a body is sent by POST. */
  readonly body?: unknown
}

interface DownloadProgress {
  /** Written rows divided by all rows, at most NEARLY. Until the server sends counts: received bytes divided by estimated bytes. */
  readonly fraction: number
  /** Written rows; null before the server sends a count. */
  readonly done: number | null
  /** Rows of the whole file; null when the server does not send their number. */
  readonly rows: number | null
}

export interface Download {
  readonly name: string
  readonly rows: number | null
}

const NEARLY = 0.99

/** Rejects with HttpError, or with the signal's reason. Never saves an incomplete file. */
export async function download(
  request: DownloadRequest,
  signal?: AbortSignal,
  onProgress: (progress: DownloadProgress) => void = () => undefined,
): Promise<Download> {
  const method = request.body === undefined ? 'GET' : 'POST'
  const requestId = newRequestId()
  let written: number | null = null
  const leave = followCall(requestId, (done) => {
    written = done
  })
  try {
    const options = { query: request.query, signal, isEndless: true, requestId }
    return await receiveFile(await http.open(method, request.path, request.body, options), () => written, onProgress)
  } finally {
    leave()
  }
}

async function receiveFile(
  answer: Response,
  written: () => number | null,
  onProgress: (progress: DownloadProgress) => void,
): Promise<Download> {
  const expected = Number(answer.headers.get('x-estimated-bytes') ?? 0)
  const total = answer.headers.get('x-total-rows')
  const rows = total === null ? null : Number(total)
  const parts: BlobPart[] = []
  let bytes = 0
  const reader = answer.body?.getReader()
  for (let next = await reader?.read(); next !== undefined && !next.done; next = await reader?.read()) {
    parts.push(next.value)
    bytes += next.value.length
    const done = written()
    const fraction = done !== null && rows ? done / rows : expected > 0 ? bytes / expected : 0
    onProgress({ fraction: Math.min(NEARLY, fraction), done, rows })
  }
  const name = fileNameIn(answer.headers.get('content-disposition')) ?? 'export'
  save(new Blob(parts, { type: answer.headers.get('content-type') ?? '' }), name)
  return { name, rows }
}

/** Reads the file name from `content-disposition`. The encoded name comes first, because the plain one is limited to ASCII. */
export function fileNameIn(disposition: string | null): string | null {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? '')?.[1]
  if (encoded !== undefined) return decodeURIComponent(encoded)
  return /filename="?([^";]+)"?/i.exec(disposition ?? '')?.[1] ?? null
}

function save(content: Blob, name: string): void {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The browser reads the URL later, so it is revoked after a minute.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
