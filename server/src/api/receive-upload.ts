// Streams the uploaded file of a request to disk under a generated name, within the size and the extensions of the rule.

import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import type { MultipartFile } from '@fastify/multipart'
import { isAccepted, MEGABYTE, type UploadRule } from '@tributary/contract/limits'
import type { Issue } from '@tributary/contract/validate'
import type { FastifyRequest } from 'fastify'
import { recordUpload, type Upload, uploadFolder } from '../entities/upload.ts'
import { dropUploads } from '../jobs/drop-uploads.ts'
import { AppError } from '../lib/app-error.ts'
import { ignore } from '../lib/promises.ts'
import type { ServerModule } from '../server-module.ts'
import type { Services } from '../services.ts'

const FIELD = 'file'
const NAME_CAP = 255
/** Bytes read beyond the limit, so that the client gets an answer instead of a broken connection. */
const EXTRA_BYTES = 64 * MEGABYTE

/** Stores the file of the request. Throws `unsupported_media`, `too_large` or `invalid`; then no file stays on disk. */
export async function receiveUpload(request: FastifyRequest, rule: UploadRule, services: Services): Promise<Upload> {
  if (!request.isMultipart()) throw new AppError('unsupported_media')
  const limits = { fileSize: rule.maxBytes, files: 1, fields: 10, parts: 11, fieldNameSize: 100 }
  if (Number(request.headers['content-length'] ?? 0) > rule.maxBytes + EXTRA_BYTES) throw tooLarge(rule)
  const part = await request.file({ limits, throwFileSizeLimit: false })
  limitRequest(request.raw, rule.maxBytes + EXTRA_BYTES)
  if (part === undefined) throw fileError('invalid', { key: 'file_missing' })
  const rejection = checkPart(part, rule)
  if (rejection !== null) {
    part.file.resume()
    await finished(part.file).catch(ignore)
    throw rejection
  }
  // Public calls have no person.
  const personId = request.routeOptions.config?.access === 'public' ? null : request.person.id
  return store(part, rule, personId, services)
}

function checkPart({ fieldname, filename }: MultipartFile, rule: UploadRule): AppError | null {
  if (fieldname !== FIELD) return fileError('invalid', { key: 'file_missing' })
  if (isAccepted(filename, rule)) return null
  return fileError('unsupported_media', { key: 'file_type_invalid', values: { types: rule.extensions.join(', ') } })
}

async function store(
  part: MultipartFile,
  rule: UploadRule,
  personId: number | null,
  services: Services,
): Promise<Upload> {
  const folder = uploadFolder(services.config)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const id = randomUUID()
  const path = join(folder, id)
  try {
    const size = await writeTo(path, part.file)
    if (part.file.truncated) throw tooLarge(rule)
    if (size === 0) throw fileError('invalid', { key: 'file_empty' })
    const upload: Upload = { id, name: plainName(part.filename), size, path }
    await recordUpload(services, upload, personId)
    return upload
  } catch (error) {
    await rm(path, { force: true })
    throw error
  }
}

async function writeTo(path: string, source: Readable): Promise<number> {
  const target = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true })
  await pipeline(source, target)
  return target.bytesWritten
}

/** Destroys a request that sends more than `maxBytes` bytes. */
function limitRequest(request: IncomingMessage, maxBytes: number): void {
  let received = 0
  request.on('data', (chunk: Buffer) => {
    received += chunk.length
    if (received > maxBytes) request.destroy()
  })
}

/** Removes folders, control characters and marks that change the direction of text from a file name. */
const plainName = (name: string): string =>
  (name.split(/[/\\]/).at(-1) ?? '')
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .trim()
    .slice(-NAME_CAP)

const tooLarge = ({ maxBytes }: UploadRule): AppError =>
  fileError('too_large', { key: 'file_too_large', values: { size: Math.floor(maxBytes / MEGABYTE) } })

const fileError = (code: 'invalid' | 'too_large' | 'unsupported_media', issue: Issue): AppError =>
  new AppError(code, { issues: { [FIELD]: [issue] } })

/** Server module of uploads: the worker deletes unused files. */
export const uploadModule: ServerModule = { name: 'uploads', roles: ['worker'], jobs: [dropUploads] }
