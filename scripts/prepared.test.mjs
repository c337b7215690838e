// A clone is prepared by its owner and then only read: the server may run as a user who cannot write to it, as in deploy/*.service.
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  constants,
  copyFileSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { ROOT } from './root.mjs'

/** Root may write anywhere, so that it starts the command as nobody. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
/** @type {string[]} */
const clones = []
/** A copy of this Node where every user may enter: the clone may lie in a private folder. */
let node = ''

beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-node-'))
  chmodSync(folder, 0o755)
  node = join(folder, 'node')
  copyFileSync(process.execPath, node, constants.COPYFILE_FICLONE)
})

afterAll(() => rmSync(dirname(node), { recursive: true, force: true }))

afterEach(() => {
  for (const clone of clones.splice(0)) {
    for (const path of ['', 'web', 'node_modules']) chmodSync(join(clone, path), 0o755)
    rmSync(clone, { recursive: true, force: true })
  }
})

/** A clone with an installed Node that tells its arguments, and an installed builder that writes an empty page. */
function makeClone() {
  const clone = mkdtempSync(join(tmpdir(), 'tributary-clone-'))
  clones.push(clone)
  for (const folder of ['scripts', 'web/src', 'contract', 'docs/guide', 'node_modules/.bin'])
    mkdirSync(join(clone, folder), { recursive: true })
  for (const name of globSync('scripts/*.mjs', { cwd: ROOT })) copyFileSync(join(ROOT, name), join(clone, name))
  writeFileSync(join(clone, 'package-lock.json'), '{}')
  writeFileSync(join(clone, 'web/src/screen.ts'), '')
  addTool(clone, 'node', 'echo "runs $*"')
  addTool(clone, 'vite', 'mkdir dist; echo page > dist/index.html')
  addTool(clone, 'npm', 'true')
  return clone
}

/** @param {string} clone @param {string} name @param {string} body */
function addTool(clone, name, body) {
  const path = join(clone, 'node_modules/.bin', name)
  writeFileSync(path, `#!/bin/sh\n${body}\n`)
  chmodSync(path, 0o755)
}

/** @param {string} clone @param {string} command @param {object} [user] */
function run(clone, command, user) {
  // `npm` is the clone's own, which installs nothing.
  const env = { PATH: `${join(clone, 'node_modules/.bin')}:${process.env.PATH}` }
  const { status, stdout, stderr } = spawnSync(node, [join(clone, 'scripts/run.mjs'), command], {
    cwd: clone,
    env,
    encoding: 'utf8',
    ...user,
  })
  return { status, said: `${stdout}${stderr}` }
}

/** @param {string} clone */
const listAll = (clone) => readdirSync(clone, { recursive: true }).map(String).sort()

/** @param {string} clone */
function closeForWriting(clone) {
  for (const path of ['web', 'node_modules', '']) chmodSync(join(clone, path), 0o555)
}

test('a clone that its owner has built is started by a user who cannot write to it, and nothing is written [SYS-01]', () => {
  const clone = makeClone()
  expect(run(clone, 'build')).toMatchObject({ status: 0, said: expect.stringContaining('built') })
  closeForWriting(clone)
  const before = listAll(clone)
  expect(run(clone, 'start', NOBODY)).toEqual({ status: 0, said: 'runs server/src/main.ts\n' })
  expect(listAll(clone)).toEqual(before)
})

test('a start that may not build says what to run, and ends with the code after which systemd does not repeat it [SYS-01]', () => {
  const clone = makeClone()
  closeForWriting(clone)
  const unbuilt = run(clone, 'start', NOBODY)
  expect(unbuilt.status).toBe(78)
  expect(unbuilt.said).toMatch(
    /^tributary: the packages are missing.*run `npm run build` there as the user who owns it\n$/,
  )
  chmodSync(clone, 0o755)
  for (const path of ['web', 'node_modules']) chmodSync(join(clone, path), 0o755)
  run(clone, 'build')
  writeFileSync(join(clone, 'web/src/screen.ts'), 'changed')
  closeForWriting(clone)
  const stale = run(clone, 'start', NOBODY)
  expect(stale.status).toBe(78)
  expect(stale.said).toMatch(/^tributary: the screens are not built, or are older than their sources.*npm run build/)
  expect(run(clone, 'backup', NOBODY)).toEqual({ status: 0, said: 'runs server/src/main.ts backup\n' })
})

test.each(['tributary.service', 'tributary@.service'])(
  '%s starts without npm, on a tree that is only read, and does not repeat the start of an unbuilt one [SYS-01]',
  (name) => {
    const unit = readFileSync(join(ROOT, 'deploy', name), 'utf8').split('\n')
    expect(unit).toContain('ExecStart=/usr/bin/node scripts/run.mjs start')
    expect(unit).toContain('ProtectSystem=strict')
    expect(unit).toContain('RestartPreventExitStatus=78')
    const writable = unit.filter((line) => line.startsWith('ReadWritePaths='))
    expect(writable).toEqual(['ReadWritePaths=/var/lib/tributary -/mnt/backups'])
  },
)
