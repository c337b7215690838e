// A bucket of an S3-compatible store as a store of back-ups. Credentials, region and endpoint come from the variables that AWS defines:
// AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION, AWS_ENDPOINT_URL_S3.

import { createReadStream, createWriteStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  paginateListObjectsV2,
  S3Client,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { StartError, textOf } from '../lib/app-error.ts'
import { type BackupStore, MissingObjectError } from './store.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

/** An object is sent in parts of this size; S3 takes at most 10,000 parts. */
const PART_BYTES = 16 * 1024 * 1024
const MOST_PARTS = 10_000
const CONNECT_MS = 10_000
/** A store that sends and takes nothing for so long fails the request, which is repeated twice. */
const SILENT_MS = 60_000

/** Opens `s3://bucket/folder`. Files wait in a temporary folder (TMPDIR) until they are sent. Throws StartError if the bucket cannot be listed. */
export async function openS3Store(target: string): Promise<BackupStore> {
  const { hostname: bucket, pathname } = new URL(target)
  const folder = pathname.replace(/^\/+|\/+$/g, '')
  const prefix = folder === '' ? '' : `${folder}/`
  const client = new S3Client({
    // Self-hosted stores have no host name for each bucket.
    forcePathStyle: true,
    // Not every store knows AWS's checksums. Objects are checked by their SHA-256.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout: SILENT_MS },
  })
  const at = (key: string) => ({ Bucket: bucket, Key: `${prefix}${key}` })
  await client
    .send(new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, MaxKeys: 1 }))
    .catch((error: unknown) => {
      client.destroy()
      throw new StartError(`the place of back-ups ${target} cannot be used: ${textOf(error)}`)
    })
  const staging = await makeTemporaryFolder()
  return {
    staging,
    async put(key, file) {
      const { size } = await stat(file)
      const partSize = Math.max(PART_BYTES, Math.ceil(size / MOST_PARTS))
      await new Upload({ client, params: { ...at(key), Body: createReadStream(file) }, partSize, queueSize: 2 }).done()
      await rm(file)
    },
    async fetch(key, file) {
      const { Body: body } = await client.send(new GetObjectCommand(at(key))).catch((error: unknown) => {
        throw error instanceof NoSuchKey ? new MissingObjectError(`${key} is missing`) : error
      })
      if (!(body instanceof Readable)) throw new Error(`${key} has no content`)
      await pipeline(body, createWriteStream(file, { mode: 0o600 }))
    },
    async *list(wanted) {
      for await (const { Contents: objects = [] } of paginateListObjectsV2(
        { client },
        { Bucket: bucket, Prefix: `${prefix}${wanted}` },
      ))
        for (const { Key: key, Size: bytes = 0 } of objects)
          if (key !== undefined) yield { key: key.slice(prefix.length), bytes }
    },
    async remove(key) {
      await client.send(new DeleteObjectCommand(at(key)))
    },
    async close() {
      client.destroy()
      await rm(staging, { recursive: true, force: true })
    },
  }
}
