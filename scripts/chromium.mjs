// Finds the Chromium of the browser tests: CHROMIUM_PATH, one on the machine, or one that it installs.
// Starts each candidate once (--version), because some systems ship a stub of that name.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'
import { ROOT, run, say, tool, toolEnvironment } from './root.mjs'

// The headless shell comes first: it is the same browser without a desktop's windows and services.
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']
const FONT_PACKAGES = ['fonts-liberation', 'fonts-dejavu-core']

/** @returns {Promise<string>} the path of a Chromium that starts; throws if there is none and none can be installed */
export async function ensureChromium() {
  const named = process.env.CHROMIUM_PATH
  if (named) {
    if (!starts(named)) throw new Error(`CHROMIUM_PATH names ${named}, which does not start`)
    return announce(named, 'named by CHROMIUM_PATH')
  }
  const found = findOnMachine()
  if (found) return announce(found, 'found on this machine')
  const downloaded = findPlaywrights()
  if (downloaded) return announce(downloaded, "Playwright's own")
  const installed = (await installDebians()) ?? (await installPlaywrights())
  if (installed) return announce(installed, 'installed now')
  throw new Error('no Chromium: set CHROMIUM_PATH, or install one')
}

/** @param {string} path @param {string} origin */
function announce(path, origin) {
  say(`Chromium: ${path} (${origin})`)
  return path
}

/** @param {string} path */
function starts(path) {
  return existsSync(path) && spawnSync(path, ['--version'], { stdio: 'ignore', timeout: 30_000 }).status === 0
}

/** The first that starts among the known names on PATH and in /usr/bin. */
function findOnMachine() {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin'].filter((folder) => folder !== '')
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find(starts)
}

/** @returns {string | undefined} */
function findPlaywrights() {
  const { chromium } = createRequire(join(ROOT, 'e2e', 'package.json'))('@playwright/test')
  const path = chromium.executablePath()
  return starts(path) ? path : undefined
}

/** @returns {Promise<string | undefined>} */
async function installDebians() {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return undefined
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  await run('apt-get', ['update', '-q'], { env })
  // Older releases have no headless shell.
  for (const browser of ['chromium-headless-shell', 'chromium']) {
    const packages = [browser, ...FONT_PACKAGES]
    say(`no Chromium here; installing Debian's packages as root: ${packages.join(' ')}`)
    const code = await run('apt-get', ['install', '-q', '-y', '--no-install-recommends', ...packages], { env })
    if (code === 0) return findOnMachine()
  }
  return undefined
}

/** @returns {Promise<string | undefined>} */
async function installPlaywrights() {
  say("no Chromium here; downloading Playwright's own (playwright install chromium)")
  const { PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: _, ...env } = toolEnvironment()
  const code = await run(tool('playwright'), ['install', 'chromium'], { cwd: ROOT, env })
  return code === 0 ? findPlaywrights() : undefined
}
