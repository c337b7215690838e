// The checks of the repository as commands. Every finding is an error.
import { run, tool } from './root.mjs'

/** @type {{ title: string, command: string, args: string[] }[]} */
export const CHECKS = [
  { title: 'biome', command: 'biome', args: ['ci', '--error-on-warnings', '--diagnostic-level=warn', '.'] },
  ...['contract', 'server', 'web', 'web/test', 'demo', 'e2e', 'bench', 'scripts'].map((workspace) => ({
    title: `types of ${workspace}`,
    command: 'tsc',
    args: ['-p', workspace],
  })),
  { title: 'oxlint', command: 'oxlint', args: ['--type-aware', '--deny-warnings'] },
  { title: 'knip', command: 'knip', args: ['--no-progress'] },
]

/**
 * Runs every check, also after a failure, and returns the titles of those that passed and failed.
 * @param {(title: string) => boolean} [isWanted]
 * @returns {Promise<{ passed: string[], failed: string[] }>}
 */
export async function runChecks(isWanted = () => true) {
  /** @type {string[]} */
  const passed = []
  /** @type {string[]} */
  const failed = []
  for (const { title, command, args } of CHECKS.filter((check) => isWanted(check.title))) {
    const code = await run(tool(command), args)
    ;(code === 0 ? passed : failed).push(title)
    console.log(`${code === 0 ? '✓' : '✗'} ${title}`)
  }
  return { passed, failed }
}
