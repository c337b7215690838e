// A sheet as the answer of a route: the file while it is being made. Its headers say what will come, so that a screen can show how far it is;
// what fails on the way cuts the connection, because half a file must not pass for a whole one.

import { Readable } from 'node:stream'
import { dayOf } from '@tributary/contract/period'
import type { FastifyReply } from 'fastify'
import type { ProgressPublisher } from '../entities/engine/progress-publisher.ts'
import { chooseFormat, type Sheet, type SheetFormat, type SheetProgress, writeSheet } from '../lib/sheet.ts'

const TYPES: Readonly<Record<SheetFormat, string>> = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv; charset=utf-8',
}

/** So many bytes tell how large the whole will be. */
const SAMPLE_BYTES = 512 * 1024
const SAMPLE_MS = 1500
/** Nobody takes so long over a piece of a file: who does has gone without a word. */
const STALLED_MS = 120_000

/**
 * `x-total-rows`: rows of the file. `x-estimated-bytes`: its size as the first rows foretell it, exact when it is short; before the
 * compression of the connection. How many rows have been written is told by live messages meanwhile, where somebody listens.
 */
export async function sendSheet(
  reply: FastifyReply,
  sheet: Sheet,
  asked: SheetFormat,
  told?: ProgressPublisher,
): Promise<FastifyReply> {
  const format = chooseFormat(asked, sheet.total)
  const progress: SheetProgress = { rows: 0 }
  const file = writeSheet(sheet, format, progress)
  const begun = await readSample(file)
  const share = sheet.total === null || progress.rows === 0 ? 1 : Math.max(1, sheet.total / progress.rows)
  const name = `${sheet.title}-${dayOf(Date.now(), sheet.zone)}.${format}`
  void reply
    .header('content-type', TYPES[format])
    .header('content-disposition', disposition(name))
    .header('x-estimated-bytes', Math.ceil(begun.bytes * (begun.isWhole ? 1 : share)))
    .header('access-control-expose-headers', 'content-disposition, x-total-rows, x-estimated-bytes')
  if (sheet.total !== null) void reply.header('x-total-rows', sheet.total)
  return reply.send(
    Readable.from(
      pour(
        begun,
        () => told?.publish(progress.rows, sheet.total ?? progress.rows),
        () => reply.raw.destroy(),
      ),
      { objectMode: false },
    ),
  )
}

type Chunks = AsyncIterator<Buffer, undefined>

interface Begun {
  readonly chunks: readonly Buffer[]
  readonly rest: Chunks
  readonly bytes: number
  readonly isWhole: boolean
}

/** Takes the first piece before anything is answered, so that what fails at once is still answered as an error. */
async function readSample(file: Readable): Promise<Begun> {
  const rest: Chunks = file.iterator()
  const until = Date.now() + SAMPLE_MS
  const chunks: Buffer[] = []
  let bytes = 0
  while (bytes < SAMPLE_BYTES && Date.now() < until) {
    const { done, value } = await rest.next()
    if (done || value === undefined) return { chunks, rest, bytes, isWhole: true }
    bytes += value.length
    chunks.push(value)
  }
  return { chunks, rest, bytes, isWhole: false }
}

async function* pour({ chunks, rest, isWhole }: Begun, tell: () => void, cut: () => void): AsyncGenerator<Buffer> {
  yield* chunks
  if (isWhole) return
  try {
    while (true) {
      const { done, value } = await rest.next()
      if (done || value === undefined) return
      tell()
      const stalled = setTimeout(cut, STALLED_MS)
      try {
        yield value
      } finally {
        clearTimeout(stalled)
      }
    }
  } finally {
    await rest.return?.()
  }
}

/** Names of any language, with a plain one beside for what reads only that. */
function disposition(name: string): string {
  const plain = name.replace(/[^\w.-]+/g, '-').replace(/^-+/, '') || 'export'
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name)}`
}
