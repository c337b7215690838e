// The checks of the repository as commands. Every finding is an error.
import { collect, tool } from './root.mjs'

/** @type {{ title: string, command: string, args: string[] }[]} */
export const CHECKS = [
  { title: 'biome', command: 'biome', args: ['ci', '--error-on-warnings', '--diagnostic-level=warn', '.'] },
  // The server's program has the demo in it, which would be most of a second one.
  ...['contract', 'server', 'web', 'web/test', 'e2e', 'bench', 'scripts'].map((workspace) => ({
    title: `types of ${workspace}`,
    command: 'tsc',
    args: ['-p', workspace],
  })),
  { title: 'oxlint', command: 'oxlint', args: ['--type-aware', '--deny-warnings'] },
  { title: 'knip', command: 'knip', args: ['--no-progress'] },
]

/** Number of parallel checks: most use one core most of the time, and nearly every machine has two. */
const AT_ONCE = 2

/**
 * Runs every check, also after a failure, and returns the titles of those that passed and failed. The output of a check appears when it ends.
 * @param {(title: string) => boolean} [isWanted]
 * @returns {Promise<{ passed: string[], failed: string[] }>}
 */
export async function runChecks(isWanted = () => true) {
  const waiting = CHECKS.filter((check) => isWanted(check.title))
  /** @type {string[]} */
  const passed = []
  /** @type {string[]} */
  const failed = []
  const work = async () => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
      const { code, output } = await collect(tool(check.command), check.args)
      ;(code === 0 ? passed : failed).push(check.title)
      process.stdout.write(`${output}${code === 0 ? '✓' : '✗'} ${check.title}\n`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return { passed, failed }
}
