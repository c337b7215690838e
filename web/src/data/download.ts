// Downloads a file that the server streams: reports progress, can be stopped, and ends as a download of the browser.
import { http } from './http.ts'
import type { Query } from './http-client.ts'
import { followCall, newRequestId } from './live.ts'

export interface DownloadRequest {
  readonly path: string
  readonly query?: Query | undefined
  /** With a body the file is asked for by POST. */
  readonly body?: unknown
}

interface DownloadProgress {
  /** 0 to 1: rows written of all, once the server tells; before that as the size of the first rows foretells, held below 1 until the end. */
  readonly share: number
  /** Rows that have been written; null before the server has told. */
  readonly done: number | null
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
  ask: DownloadRequest,
  signal?: AbortSignal,
  onProgress: (progress: DownloadProgress) => void = () => undefined,
): Promise<Download> {
  const method = ask.body === undefined ? 'GET' : 'POST'
  const requestId = newRequestId()
  let written: number | null = null
  const leave = followCall(requestId, (done) => {
    written = done
  })
  try {
    const options = { query: ask.query, signal, isEndless: true, requestId }
    return await take(await http.open(method, ask.path, ask.body, options), () => written, onProgress)
  } finally {
    leave()
  }
}

async function take(
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
    const share = done !== null && rows ? done / rows : expected > 0 ? bytes / expected : 0
    onProgress({ share: Math.min(NEARLY, share), done, rows })
  }
  const name = fileNameIn(answer.headers.get('content-disposition')) ?? 'export'
  save(new Blob(parts, { type: answer.headers.get('content-type') ?? '' }), name)
  return { name, rows }
}

/** The name in `content-disposition`; the encoded one first, because the plain one cannot hold every letter. */
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
  // The browser takes it in its own time.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
