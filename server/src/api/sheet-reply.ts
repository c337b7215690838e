// Streams a sheet as the answer of a route while its rows are read. Headers announce its size for progress bars. A later failure breaks the
// connection, so that nobody mistakes half a file for a whole one.

import { Readable } from 'node:stream'
import { dayOf } from '@tributary/contract/period'
import type { FastifyReply } from 'fastify'
import type { ProgressPublisher } from '../entities/engine/progress-publisher.ts'
import { chooseFormat, type Sheet, type SheetFormat, type SheetProgress, writeSheet } from '../lib/sheet.ts'

const TYPES: Readonly<Record<SheetFormat, string>> = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv; charset=utf-8',
}

/** Size of the sample from which the size of the file is estimated. */
const SAMPLE_BYTES = 512 * 1024
const SAMPLE_MS = 1500
/** A client that needs longer for one piece is treated as disconnected. */
const STALLED_MS = 120_000

/**
 * `x-total-rows`: rows of the file. `x-estimated-bytes`: its size before compression, estimated from the first rows and exact if the file
 * is short. Live events report the rows written so far.
 */
export async function sendSheet(
  reply: FastifyReply,
  sheet: Sheet,
  requestedFormat: SheetFormat,
  publisher?: ProgressPublisher,
): Promise<FastifyReply> {
  const format = chooseFormat(requestedFormat, sheet.total)
  const progress: SheetProgress = { rows: 0 }
  const file = writeSheet(sheet, format, progress)
  const start = await readSample(file)
  const factor = sheet.total === null || progress.rows === 0 ? 1 : Math.max(1, sheet.total / progress.rows)
  const name = `${sheet.title}-${dayOf(Date.now(), sheet.zone)}.${format}`
  void reply
    .header('content-type', TYPES[format])
    .header('content-disposition', disposition(name))
    .header('x-estimated-bytes', Math.ceil(start.bytes * (start.isWhole ? 1 : factor)))
    .header('access-control-expose-headers', 'content-disposition, x-total-rows, x-estimated-bytes')
  if (sheet.total !== null) void reply.header('x-total-rows', sheet.total)
  return reply.send(
    Readable.from(
      streamSheet(
        start,
        () => publisher?.publish(progress.rows, sheet.total ?? progress.rows),
        () => reply.raw.destroy(),
      ),
      { objectMode: false },
    ),
  )
}

type Chunks = AsyncIterator<Buffer, undefined>

interface SheetStart {
  readonly chunks: readonly Buffer[]
  readonly rest: Chunks
  readonly bytes: number
  readonly isWhole: boolean
}

/** Reads the first piece before the answer begins, so that an early failure is still answered as an error. */
async function readSample(file: Readable): Promise<SheetStart> {
  const rest: Chunks = file.iterator()
  const deadline = Date.now() + SAMPLE_MS
  const chunks: Buffer[] = []
  let bytes = 0
  while (bytes < SAMPLE_BYTES && Date.now() < deadline) {
    const { done, value } = await rest.next()
    if (done || value === undefined) return { chunks, rest, bytes, isWhole: true }
    bytes += value.length
    chunks.push(value)
  }
  return { chunks, rest, bytes, isWhole: false }
}

async function* streamSheet(
  { chunks, rest, isWhole }: SheetStart,
  onChunk: () => void,
  disconnect: () => void,
): AsyncGenerator<Buffer> {
  try {
    // Not `yield*`: an array's iterator has no `throw`, which is called when the client disconnects.
    for (const chunk of chunks) yield chunk
    while (!isWhole) {
      const { done, value } = await rest.next()
      if (done || value === undefined) return
      onChunk()
      const timer = setTimeout(disconnect, STALLED_MS)
      try {
        yield value
      } finally {
        clearTimeout(timer)
      }
    }
  } finally {
    await rest.return?.()
  }
}

/** A file name in any script, with an ASCII name for clients that read only that. */
function disposition(name: string): string {
  const plain = name.replace(/[^\w.-]+/g, '-').replace(/^-+/, '') || 'export'
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name)}`
}
