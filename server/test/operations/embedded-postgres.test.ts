// The folders of the embedded PostgreSQL when its user cannot enter DATA_DIR or the clone, as in root's private folders.

import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { describe, expect, test, vi } from 'vitest'
import { type Binaries, findPackagedBinaries, placeBinaries } from '../../src/postgres/binaries.ts'
import { type EmbeddedOptions, type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/postgres/embedded.ts'
import { chooseUser } from '../../src/postgres/operating-user.ts'
import { log, makeDirectory } from '../support/harness.ts'

const isRoot = process.getuid?.() === 0
const packaged = await findPackagedBinaries()

/** A folder that only its owner can enter. */
function makePrivateFolder(): string {
  const folder = join(makeDirectory(), 'private')
  mkdirSync(folder)
  chmodSync(folder, 0o700)
  return folder
}

function copyBuild(to: string): Binaries {
  const bin = dirname(packaged.postgres)
  cpSync(dirname(bin), to, { recursive: true, verbatimSymlinks: true })
  return { postgres: join(to, 'bin', basename(packaged.postgres)), initdb: join(to, 'bin', basename(packaged.initdb)) }
}

/** Runs a server for one statement; resolves with the first value. */
async function query(dataDir: string, options: EmbeddedOptions, sql: string): Promise<unknown> {
  const server = await startEmbeddedPostgres(dataDir, log, options)
  try {
    return await ask(server, sql)
  } finally {
    await server.stop()
  }
}

async function ask(server: EmbeddedPostgres, sql: string): Promise<unknown> {
  const client = new Client({ connectionString: server.url })
  await client.connect()
  try {
    const { rows } = await client.query({ text: sql, rowMode: 'array' })
    return rows[0]?.[0]
  } finally {
    await client.end()
  }
}

const WRITE = 'create table kept as select 7 as value'
const READ = 'select value from kept'

describe.runIf(isRoot)('started by root in a folder that PostgreSQL cannot enter', () => {
  test('data and programs are in the open directory, DATA_DIR links there, and the next start finds them [SYS-01]', async () => {
    const [clone, openDirectory] = [makePrivateFolder(), makeDirectory()]
    const options = { openDirectory, binaries: copyBuild(join(clone, 'native')) }
    const dataDir = join(clone, 'data')
    mkdirSync(dataDir)
    const before = process.umask(0o077)
    try {
      await query(dataDir, options, WRITE)
    } finally {
      process.umask(before)
    }
    const home = realpathSync(join(dataDir, 'postgres'))
    expect(dirname(home)).toBe(openDirectory)
    expect(statSync(join(home, 'data')).uid).toBe(chooseUser()?.uid)
    expect(statSync(join(home, 'data')).mode & 0o777).toBe(0o700)
    expect(readdirSync(openDirectory).filter((name) => name.startsWith('programs-'))).toHaveLength(1)
    expect(await query(dataDir, options, READ)).toBe(7)
    expect(readdirSync(openDirectory)).toHaveLength(2)
  })

  test('leftovers of a failed start in DATA_DIR are replaced by the link; a lost link is recreated [SYS-01]', async () => {
    const [dataDir, openDirectory] = [makePrivateFolder(), makeDirectory()]
    mkdirSync(join(dataDir, 'postgres', 'data.1.new'), { recursive: true })
    await query(dataDir, { openDirectory }, WRITE)
    expect(lstatSync(join(dataDir, 'postgres')).isSymbolicLink()).toBe(true)
    rmSync(join(dataDir, 'postgres'))
    expect(await query(dataDir, { openDirectory }, READ)).toBe(7)
  })

  test('files of a folder that was accessible before move with their running server [SYS-01]', async () => {
    const [folder, openDirectory] = [makeDirectory(), makeDirectory()]
    const dataDir = join(folder, 'data')
    mkdirSync(dataDir)
    const left = await startEmbeddedPostgres(dataDir, log, { openDirectory })
    await ask(left, WRITE)
    expect(lstatSync(join(dataDir, 'postgres')).isDirectory()).toBe(true)
    chmodSync(folder, 0o700)
    expect(await query(dataDir, { openDirectory }, READ)).toBe(7)
    expect(dirname(realpathSync(join(dataDir, 'postgres')))).toBe(openDirectory)
    await left.stop()
  })

  test('a moved DATA_DIR keeps its files; a copy is rejected until it has its own files [SYS-01]', async () => {
    const [folder, openDirectory] = [makePrivateFolder(), makeDirectory()]
    const [first, moved, copy] = ['first', 'moved', 'copy'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ]
    mkdirSync(first)
    await query(first, { openDirectory }, WRITE)
    renameSync(first, moved)
    expect(await query(moved, { openDirectory }, READ)).toBe(7)

    execFileSync('cp', ['-a', moved, copy])
    const link = join(copy, 'postgres')
    await expect(startEmbeddedPostgres(copy, log, { openDirectory })).rejects.toThrow(
      `${link} links to the files of DATA_DIR=${moved}`,
    )
    const files = join(openDirectory, 'copy')
    execFileSync('cp', ['-a', realpathSync(link), files])
    rmSync(link)
    symlinkSync(files, link)
    expect(await query(copy, { openDirectory }, READ)).toBe(7)
    expect(await query(moved, { openDirectory }, READ)).toBe(7)
  })

  test('a broken link stops the start instead of creating an empty database [SYS-01]', async () => {
    const dataDir = makePrivateFolder()
    symlinkSync(join(dataDir, 'gone'), join(dataDir, 'postgres'))
    await expect(startEmbeddedPostgres(dataDir, log, { openDirectory: makeDirectory() })).rejects.toThrow(
      'links to a folder that does not exist',
    )
  })

  test('programs are copied completely, once for equal builds, and leftovers of a killed start are removed [SYS-01]', () => {
    const [clone, openDirectory] = [makePrivateFolder(), makeDirectory()]
    const binaries = copyBuild(join(clone, 'native'))
    const dead = join(openDirectory, 'programs-0123456789abcdef.999999999.new')
    mkdirSync(dead)
    const first = placeBinaries(binaries, chooseUser(), openDirectory)
    expect(existsSync(dead)).toBe(false)
    expect(placeBinaries(binaries, chooseUser(), openDirectory)).toEqual(first)
    rmSync(join(clone, 'native', 'share'), { recursive: true })
    expect(placeBinaries(binaries, chooseUser(), openDirectory)).not.toEqual(first)
    expect(readdirSync(openDirectory)).toHaveLength(2)
  })

  test('an unusable open directory is named together with the solution [SYS-01]', async () => {
    const dataDir = makePrivateFolder()
    const openDirectory = join(dataDir, 'open')
    await expect(startEmbeddedPostgres(dataDir, log, { openDirectory })).rejects.toThrow(
      /who cannot enter \S+: let it enter \(chmod o\+x\), choose another DATA_DIR, or set DATABASE_URL/,
    )
  })
})

test('an accessible folder contains its files, and programs run from their installation [SYS-01]', async () => {
  const [dataDir, openDirectory] = [makeDirectory(), makeDirectory()]
  expect(await query(dataDir, { openDirectory }, 'select 7')).toBe(7)
  expect(lstatSync(join(dataDir, 'postgres')).isDirectory()).toBe(true)
  expect(placeBinaries(packaged, undefined, openDirectory)).toBe(packaged)
})

test('PostgreSQL that dies and cannot start is tried again until it can, on the same port [SYS-02]', async () => {
  const dataDir = makeDirectory()
  const server = await startEmbeddedPostgres(dataDir, log, { openDirectory: makeDirectory() })
  try {
    await ask(server, 'create table kept as select 7 as value')
    const [file, away] = ['postgresql.conf', 'away.conf'].map((name) => join(dataDir, 'postgres/data', name))
    renameSync(file ?? '', away ?? '')
    const died = server.pid()
    process.kill(died, 'SIGKILL')
    // Longer than two attempts need.
    await sleep(4000)
    await expect(ask(server, 'select 1')).rejects.toThrow('ECONNREFUSED')
    renameSync(away ?? '', file ?? '')
    await vi.waitFor(async () => expect(await ask(server, 'select value from kept')).toBe(7), {
      timeout: 30_000,
      interval: 200,
    })
    // It answers a moment before its start is noted.
    await vi.waitFor(() => expect(server.pid()).not.toBe(died), { timeout: 10_000 })
  } finally {
    await server.stop()
  }
})
