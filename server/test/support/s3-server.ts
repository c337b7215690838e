// A stand-in of an S3-compatible store: buckets in memory, with parts, pages and the errors of S3. It takes only requests that are signed by its key.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { atEndOfFile } from './cleanup.ts'

const KEY = 'AKIDTESTS'
const PAGE = 50

export interface S3Server {
  /** Variables for a process that uses the store. */
  readonly env: Record<string, string>
  /** Content by `bucket/key`. */
  readonly objects: Map<string, Buffer>
  /** Parts of multipart uploads that were received. */
  parts: number
}

/** Runs until the end of the file. Only the bucket `backups` exists. */
export async function startS3Server(): Promise<S3Server> {
  const objects = new Map<string, Buffer>()
  const uploads = new Map<string, Map<number, Buffer>>()
  const env: Record<string, string> = {
    AWS_ACCESS_KEY_ID: KEY,
    AWS_SECRET_ACCESS_KEY: 'secret',
    AWS_REGION: 'eu-test-1',
  }
  const store: S3Server = { env, objects, parts: 0 }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request)
    const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://s3')
    const name = decodeURIComponent(pathname.slice(1))
    const fail = (status: number, code: string) =>
      response.writeHead(status, { 'content-type': 'application/xml' }).end(`<Error><Code>${code}</Code></Error>`)
    const say = (xml: string) => response.writeHead(200, { 'content-type': 'application/xml' }).end(xml)
    if (!request.headers.authorization?.startsWith(`AWS4-HMAC-SHA256 Credential=${KEY}/`))
      return void fail(403, 'AccessDenied')
    if (name.split('/')[0] !== 'backups') return void fail(404, 'NoSuchBucket')
    const upload = query.get('uploadId')
    switch (request.method ?? 'GET') {
      case 'PUT': {
        const part = query.get('partNumber')
        if (upload === null || part === null) objects.set(name, body)
        else uploads.get(upload)?.set(Number(part), body)
        if (part !== null) store.parts++
        return void response.writeHead(200, { etag: `"${part ?? 'whole'}"` }).end()
      }
      case 'POST': {
        if (upload === null) {
          const id = `upload-${uploads.size}`
          uploads.set(id, new Map())
          return void say(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`)
        }
        const parts = [...(uploads.get(upload) ?? [])].sort(([a], [b]) => a - b)
        objects.set(name, Buffer.concat(parts.map(([, content]) => content)))
        return void say('<CompleteMultipartUploadResult><ETag>"parts"</ETag></CompleteMultipartUploadResult>')
      }
      case 'DELETE':
        objects.delete(name)
        return void response.writeHead(204).end()
      default: {
        if (query.has('list-type')) return void say(list(query))
        const content = objects.get(name)
        if (content === undefined) return void fail(404, 'NoSuchKey')
        return void response
          .writeHead(200, { 'content-length': content.length })
          .end(request.method === 'HEAD' ? undefined : content)
      }
    }
  }

  function list(query: URLSearchParams): string {
    const after = query.get('continuation-token') ?? ''
    const size = Math.min(PAGE, Number(query.get('max-keys') ?? PAGE))
    const found = [...objects.keys()]
      .map((name) => name.slice('backups/'.length))
      .filter((key) => key.startsWith(query.get('prefix') ?? '') && key > after)
      .sort()
    const page = found.slice(0, size)
    const more = found.length > size
    return `<ListBucketResult><IsTruncated>${more}</IsTruncated>${more ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''}${page
      .map((key) => `<Contents><Key>${key}</Key><Size>${objects.get(`backups/${key}`)?.length ?? 0}</Size></Contents>`)
      .join('')}</ListBucketResult>`
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEndOfFile(() => void server.close())
  env.AWS_ENDPOINT_URL_S3 = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return store
}
