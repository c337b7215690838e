// Files that people send: streamed to disk under names of our own, within size and kind, seen by their sender only, forgotten after a day.

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { MEGABYTE, UPLOAD_RULE } from '@tributary/contract/limits'
import { expect, test } from 'vitest'
import { accessModule } from '../../src/api/access-module.ts'
import { dropUnusedUploads, keepUpload } from '../../src/entities/upload.ts'
import { startTestApp } from '../support/harness.ts'
import { type SignedIn, signIn } from '../support/sign-in.ts'

const server = await startTestApp({ modules: [accessModule] })
const { services, url } = server
const manager = await signIn(server, 'MANAGER')
const other = await signIn(server, 'ADMIN')
const folder = join(services.config.dataDir, 'uploads')
const stored = (): string[] => (existsSync(folder) ? readdirSync(folder) : [])

interface Reply {
  id: string
  name: string
  size: number
  code: string
  formErrors: { file: string[] }
}

async function send(
  person: Pick<SignedIn, 'token'>,
  name: string,
  content: string | Buffer<ArrayBuffer>,
  field = 'file',
) {
  const form = new FormData()
  form.append(field, new Blob([content]), name)
  const headers = { authorization: `Bearer ${person.token}` }
  const answer = await fetch(`${url}/api/file`, { method: 'POST', headers, body: form })
  return { status: answer.status, body: (await answer.json()) as Reply }
}

test('a file is stored whole under a name of our own; the sender’s name is only shown [FORM-08]', async () => {
  const content = Buffer.alloc(3 * MEGABYTE, 'x')
  const { status, body } = await send(manager, '../../etc/отчёт\u202e за май.XLSX', content)
  expect(status).toBe(201)
  expect(body).toEqual({ id: expect.any(String), name: 'отчёт за май.XLSX', size: content.length })
  expect(stored()).toEqual([body.id])
  expect(statSync(join(folder, body.id)).mode & 0o777).toBe(0o600)
  expect(readFileSync(join(folder, body.id)).equals(content)).toBe(true)
})

test('a file that is too large is rejected with 413 and leaves nothing behind [FORM-08]', async () => {
  const before = stored()
  const { status, body } = await send(manager, 'large.xls', Buffer.alloc(UPLOAD_RULE.maxBytes + 1))
  expect(status).toBe(413)
  expect(body).toMatchObject({ code: 'too_large', formErrors: { file: ['The file is larger than 60 MB'] } })
  expect(stored()).toEqual(before)
})

test('another kind of file is 415, no file or an empty one 422, no multipart 415 [FORM-08]', async () => {
  const before = stored()
  expect(await send(manager, 'virus.exe', 'MZ')).toMatchObject({
    status: 415,
    body: { code: 'unsupported_media', formErrors: { file: ['Only files of these types: xls, xlsx'] } },
  })
  expect(await send(manager, 'empty.xls', '')).toMatchObject({
    status: 422,
    body: { formErrors: { file: ['The file is empty'] } },
  })
  expect(await send(manager, 'a.xls', 'x', 'picture')).toMatchObject({
    status: 422,
    body: { formErrors: { file: ['Choose a file'] } },
  })
  expect((await manager.call('POST', 'file', { file: 'x' })).status).toBe(415)
  expect(stored()).toEqual(before)
})

test('nobody without a token and no partner sends files [FORM-08] [PERM-07]', async () => {
  expect((await send({ token: 'a.b.c' }, 'a.xls', 'x')).status).toBe(401)
  const partner = (
    await services.postgres.pool.query<{ id: number }>(
      `insert into partner (title, state) values ('P', 'approved') returning id`,
    )
  ).rows[0]?.id
  expect((await send(await signIn(server, 'PARTNER', partner ?? null), 'a.xls', 'x')).status).toBe(403)
})

test('a sender who goes away in the middle leaves nothing behind [FORM-08]', async () => {
  const before = stored()
  await new Promise<void>((resolve) => {
    const request = httpRequest(`${url}/api/file`, {
      method: 'POST',
      headers: { authorization: `Bearer ${manager.token}`, 'content-type': 'multipart/form-data; boundary=x' },
    })
    request.on('error', () => resolve())
    request.write('--x\r\nContent-Disposition: form-data; name="file"; filename="a.xls"\r\n\r\nhalf')
    setTimeout(() => request.destroy(new Error('gone')), 100)
  })
  await expect.poll(stored).toEqual(before)
})

test('a file is removed by its sender alone [FORM-08]', async () => {
  const { body } = await send(manager, 'mine.xls', 'x')
  expect((await other.call('DELETE', `file/${body.id}`)).status).toBe(404)
  expect(stored()).toContain(body.id)
  expect((await manager.call('DELETE', `file/${body.id}`)).status).toBe(204)
  expect(stored()).not.toContain(body.id)
})

test('after a day only what is kept is still there [FORM-08]', async () => {
  const [kept, forgotten, fresh] = [
    (await send(manager, 'kept.xls', 'x')).body.id,
    (await send(manager, 'forgotten.xls', 'x')).body.id,
    (await send(manager, 'fresh.xls', 'x')).body.id,
  ]
  await keepUpload(services, kept)
  await services.postgres.pool.query(
    `update upload set created_at = now() - interval '25 hours' where id = any($1::uuid[])`,
    [[kept, forgotten]],
  )
  expect(await dropUnusedUploads(services)).toBe(1)
  expect(stored()).toEqual(expect.arrayContaining([kept, fresh]))
  expect(stored()).not.toContain(forgotten)
})
