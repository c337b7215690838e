// Streams a stored file as a download. Answers 404 if it no longer exists.

import { open } from 'node:fs/promises'
import type { FastifyReply } from 'fastify'
import type { KeptFile } from '../calls/handler.ts'
import { AppError } from '../lib/app-error.ts'

export async function sendKept(reply: FastifyReply, { path, name, type }: KeptFile): Promise<FastifyReply> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new AppError('not_found')
    throw error
  })
  const { size } = await file.stat()
  // `filename*` carries names in any script; `filename` is for clients that do not know it.
  const plain = name.replace(/[^\w .-]/g, '_')
  return reply
    .status(200)
    .header('content-type', type)
    .header('content-length', size)
    .header('cache-control', 'no-store')
    .header('content-disposition', `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name)}`)
    .send(file.createReadStream())
}
