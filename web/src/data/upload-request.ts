// Sends a file and reports upload progress, which fetch cannot. Resolves and rejects like fetch.

/** The sent fraction of the file, 0 to 1. */
export type OnProgress = (fraction: number) => void

interface UploadRequest {
  readonly headers: Headers
  readonly file: File
  readonly signal: AbortSignal
}

export function sendFile(url: string, { headers, file, signal }: UploadRequest, onProgress: OnProgress) {
  return new Promise<Response>((resolve, reject) => {
    const request = new XMLHttpRequest()
    const abort = () => request.abort()
    const fail = () => {
      const { reason } = signal
      reject(reason instanceof Error ? reason : new TypeError('the file could not be sent'))
    }
    request.open('POST', url)
    for (const [name, value] of headers) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total)
    request.onload = () => {
      const body = request.status === 204 ? null : request.responseText
      const type = request.getResponseHeader('content-type') ?? 'application/json'
      resolve(new Response(body, { status: request.status, headers: { 'content-type': type } }))
    }
    request.onerror = fail
    request.onabort = fail
    request.onloadend = () => signal.removeEventListener('abort', abort)
    signal.addEventListener('abort', abort)
    if (signal.aborted) return fail()
    const form = new FormData()
    form.append('file', file)
    request.send(form)
  })
}

export interface StallGuard {
  readonly signal: AbortSignal
  /** Reports progress: the time-out starts again. */
  readonly renew: () => void
  readonly end: () => void
}

/** Aborts an upload that makes no progress for timeoutMs. Its total time is unlimited. */
export function guardAgainstStall(timeoutMs: number): StallGuard {
  const control = new AbortController()
  const stop = () => control.abort(new DOMException('nothing moved', 'TimeoutError'))
  let timer = setTimeout(stop, timeoutMs)
  return {
    signal: control.signal,
    renew: () => {
      clearTimeout(timer)
      timer = setTimeout(stop, timeoutMs)
    },
    end: () => clearTimeout(timer),
  }
}
