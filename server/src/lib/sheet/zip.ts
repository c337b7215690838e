// Reads entries of a zip file by its central directory, each as a stream that is checked against size, checksum and a cap.

import { type FileHandle, open } from 'node:fs/promises'
import { crc32, createInflateRaw } from 'node:zlib'
import { SheetFailure } from './sheet.ts'

export interface ZipEntry {
  readonly name: string
  readonly method: number
  readonly crc: number
  readonly packed: number
  readonly size: number
  readonly offset: number
}

export interface Zip {
  readonly entries: ReadonlyMap<string, ZipEntry>
  /** The unpacked bytes. Throws SheetFailure when they are not what the directory says, or more than `cap`. */
  read(entry: ZipEntry, cap: number): AsyncGenerator<Buffer>
  /** Packed bytes that have been read so far, of all entries. */
  bytesRead(): number
  close(): Promise<void>
}

const END = 0x06054b50
const END_64 = 0x06064b50
const LOCATOR_64 = 0x07064b50
const CENTRAL = 0x02014b50
const LOCAL = 0x04034b50
/** Size of the end record and the longest comment after it. */
const TAIL = 22 + 65_535
const ENTRY_CAP = 20_000
const DIRECTORY_CAP = 8 * 1024 * 1024
const PIECE = 256 * 1024
const WHOLE_32 = 0xffff_ffff
const ENCRYPTED = 1

const broken = (detail: string, cause?: unknown): SheetFailure =>
  new SheetFailure('wrong_format', `zip: ${detail}`, cause === undefined ? {} : { cause })

export async function openZip(path: string): Promise<Zip> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const entries = await readDirectory(file, size)
    const count = { bytes: 0 }
    return {
      entries,
      read: (entry, cap) => unpack(file, entry, cap, count),
      bytesRead: () => count.bytes,
      close: () => file.close(),
    }
  } catch (error) {
    await file.close()
    throw error
  }
}

async function readAt(file: FileHandle, offset: number, length: number): Promise<Buffer> {
  if (!Number.isSafeInteger(offset) || offset < 0) throw broken('an offset leads out of the file')
  const buffer = Buffer.allocUnsafe(length)
  const { bytesRead } = await file.read(buffer, 0, length, offset)
  if (bytesRead < length) throw broken('the file ends too early')
  return buffer
}

interface Directory {
  offset: number
  length: number
  count: number
}

async function readDirectory(file: FileHandle, fileSize: number): Promise<Map<string, ZipEntry>> {
  const { offset, length, count } = await findDirectory(file, fileSize)
  if (count > ENTRY_CAP || length > DIRECTORY_CAP) throw new SheetFailure('too_complex', 'zip: too many entries')
  const bytes = await readAt(file, offset, length)
  const entries = new Map<string, ZipEntry>()
  let at = 0
  for (let index = 0; index < count; index++) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== CENTRAL) throw broken('the directory is damaged')
    const nameLength = bytes.readUInt16LE(at + 28)
    const extraLength = bytes.readUInt16LE(at + 30)
    const next = at + 46 + nameLength + extraLength + bytes.readUInt16LE(at + 32)
    if (next > bytes.length) throw broken('the directory is damaged')
    if ((bytes.readUInt16LE(at + 8) & ENCRYPTED) === 1) throw broken('an entry is encrypted')
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength).replaceAll('\\', '/')
    const extra = bytes.subarray(at + 46 + nameLength, at + 46 + nameLength + extraLength)
    entries.set(name, {
      name,
      method: bytes.readUInt16LE(at + 10),
      crc: bytes.readUInt32LE(at + 16),
      ...widen(extra, bytes.readUInt32LE(at + 24), bytes.readUInt32LE(at + 20), bytes.readUInt32LE(at + 42)),
    })
    at = next
  }
  return entries
}

/** Reads sizes beyond 32 bits from the extra field, which contains those that need it in this order. */
function widen(
  extra: Buffer,
  size: number,
  packed: number,
  offset: number,
): { size: number; packed: number; offset: number } {
  const wide = { size, packed, offset }
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue
    let value = at + 4
    for (const name of ['size', 'packed', 'offset'] as const) {
      if (wide[name] !== WHOLE_32) continue
      if (value + 8 > extra.length) throw broken('the directory is damaged')
      wide[name] = Number(extra.readBigUInt64LE(value))
      value += 8
    }
  }
  return wide
}

async function findDirectory(file: FileHandle, fileSize: number): Promise<Directory> {
  const length = Math.min(TAIL, fileSize)
  if (length < 22) throw broken('the file is too short')
  const tail = await readAt(file, fileSize - length, length)
  for (let at = length - 22; at >= 0; at--) {
    if (tail.readUInt32LE(at) !== END) continue
    const found = {
      count: tail.readUInt16LE(at + 10),
      length: tail.readUInt32LE(at + 12),
      offset: tail.readUInt32LE(at + 16),
    }
    const isWide = found.count === 0xffff || found.length === WHOLE_32 || found.offset === WHOLE_32
    return isWide ? findWideDirectory(file, fileSize - length + at) : found
  }
  throw broken('there is no directory')
}

async function findWideDirectory(file: FileHandle, end: number): Promise<Directory> {
  const locator = await readAt(file, end - 20, 20)
  if (locator.readUInt32LE(0) !== LOCATOR_64) throw broken('the directory is damaged')
  const record = await readAt(file, Number(locator.readBigUInt64LE(8)), 56)
  if (record.readUInt32LE(0) !== END_64) throw broken('the directory is damaged')
  return {
    count: Number(record.readBigUInt64LE(32)),
    length: Number(record.readBigUInt64LE(40)),
    offset: Number(record.readBigUInt64LE(48)),
  }
}

async function* unpack(
  file: FileHandle,
  entry: ZipEntry,
  cap: number,
  count: { bytes: number },
): AsyncGenerator<Buffer> {
  const head = await readAt(file, entry.offset, 30)
  if (head.readUInt32LE(0) !== LOCAL) throw broken('an entry is damaged')
  const start = entry.offset + 30 + head.readUInt16LE(26) + head.readUInt16LE(28)
  const packed = readPieces(file, start, entry.packed, count)
  let size = 0
  let crc = 0
  for await (const piece of inflated(entry, packed)) {
    size += piece.length
    if (size > cap) throw new SheetFailure('too_complex', `zip: ${entry.name} is larger than ${cap} bytes`)
    if (size > entry.size) throw broken(`${entry.name} is larger than it says`)
    crc = crc32(piece, crc)
    yield piece
  }
  if (size !== entry.size) throw broken(`${entry.name} is shorter than it says`)
  if (crc !== entry.crc) throw broken(`${entry.name} is damaged`)
}

async function* readPieces(
  file: FileHandle,
  start: number,
  length: number,
  count: { bytes: number },
): AsyncGenerator<Buffer> {
  for (let at = 0; at < length; at += PIECE) {
    const piece = await readAt(file, start + at, Math.min(PIECE, length - at))
    count.bytes += piece.length
    yield piece
  }
}

async function* inflated({ name, method }: ZipEntry, packed: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  if (method === 0) {
    yield* packed
    return
  }
  if (method !== 8) throw broken(`${name} is packed in a way that is not known`)
  const inflate = createInflateRaw({ chunkSize: PIECE })
  const feeding = feed(packed, inflate)
  // A read error must reach the loop below as an error of the stream.
  feeding.catch((error: unknown) => inflate.destroy(error instanceof Error ? error : new Error(String(error))))
  try {
    for await (const piece of inflate) yield piece as Buffer
  } catch (error) {
    throw error instanceof SheetFailure ? error : broken(`${name} is damaged`, error)
  } finally {
    inflate.destroy()
  }
}

async function feed(packed: AsyncGenerator<Buffer>, inflate: ReturnType<typeof createInflateRaw>): Promise<void> {
  for await (const piece of packed) {
    if (inflate.destroyed) return
    if (!inflate.write(piece)) {
      await new Promise<void>((resolve) => {
        const goOn = (): void => {
          inflate.off('drain', goOn).off('close', goOn)
          resolve()
        }
        inflate.on('drain', goOn).on('close', goOn)
      })
    }
  }
  inflate.end()
}
