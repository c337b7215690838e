// Prepares a fresh clone: installs the packages of the lock file and builds the screens. Repeats a step only if its sources have
// changed; a stamp holds their hash. A clone that is prepared is only read, so that its server may run as a user who cannot write to it.
// Runs on Node ≥ 20.
import { createHash } from 'node:crypto'
import { accessSync, constants, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CACHE, ROOT, run, say, tool, toolEnvironment } from './root.mjs'

const PACKAGES_STAMP = join(ROOT, 'node_modules', '.stamp')
const SCREENS_STAMP = join(CACHE, 'screens.stamp')
// Hides warnings about an old Node: the packages run under the Node that is installed with them.
const INSTALL = ['install', '--loglevel=error']
const SCREEN_SOURCES = ['web', 'contract', 'docs/guide', 'package-lock.json']

/** A step is missing, and this process may not do it. */
export class NotPreparedError extends Error {}

export async function installPackages() {
  const lock = join(ROOT, 'package-lock.json')
  if (isCurrent(PACKAGES_STAMP, hashFiles([lock]))) return
  requireWritable('the packages are missing, or are not those of package-lock.json')
  say('installing packages (npm install); the first time takes about a minute')
  // `npm run` sets these to the machine's npm and Node, which stay in place while packages are replaced.
  const npm = process.env.npm_execpath
  const node = process.env.npm_node_execpath ?? process.execPath
  const [command, args] = npm?.endsWith('.js') ? [node, [npm, ...INSTALL]] : ['npm', INSTALL]
  const code = await run(command, args, { env: { ...process.env, PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: '1' } })
  if (code !== 0) throw new Error(`npm install ended with ${code}`)
  if ((await run(tool('node'), ['--version'])) !== 0)
    throw new Error('the installed Node does not start on this machine')
  writeStamp(PACKAGES_STAMP, hashFiles([lock]))
}

export async function buildScreens() {
  const hash = hashFiles(SCREEN_SOURCES.flatMap((name) => listFiles(join(ROOT, name))))
  if (existsSync(join(ROOT, 'web', 'dist', 'index.html')) && isCurrent(SCREENS_STAMP, hash)) return
  requireWritable('the screens are not built, or are older than their sources')
  say('building the screens (vite build)')
  const code = await run(tool('vite'), ['build'], {
    cwd: join(ROOT, 'web'),
    env: toolEnvironment({ NODE_ENV: 'production' }),
  })
  if (code !== 0) throw new Error(`vite build ended with ${code}`)
  writeStamp(SCREENS_STAMP, hash)
}

/** @param {string} missing */
function requireWritable(missing) {
  try {
    accessSync(ROOT, constants.W_OK)
  } catch {
    throw new NotPreparedError(
      `${missing}, and this process may not write to ${ROOT}: run \`npm run build\` there as the user who owns it`,
    )
  }
}

/** @param {string} path @returns {string[]} */
function listFiles(path) {
  if (path.endsWith('.json')) return [path]
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => !['node_modules', 'dist', 'test'].includes(entry.name))
    .flatMap((entry) => (entry.isDirectory() ? listFiles(join(path, entry.name)) : [join(path, entry.name)]))
    .sort()
}

/** @param {string[]} files */
export function hashFiles(files) {
  const hash = createHash('sha256')
  for (const file of files) hash.update(file.slice(ROOT.length)).update('\0').update(readFileSync(file)).update('\0')
  return hash.digest('hex')
}

/** @param {string} stamp @param {string} hash */
function isCurrent(stamp, hash) {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === hash
}

/** @param {string} stamp @param {string} hash */
function writeStamp(stamp, hash) {
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, hash)
}
