// `npm run check` runs all checks; `npm run typecheck` (--types) runs the compiler only.
import { installPackages } from './bootstrap.mjs'
import { runChecks } from './checks.mjs'

await installPackages()
const isTypesOnly = process.argv.includes('--types')
const { failed } = await runChecks((title) => !isTypesOnly || title.startsWith('types'))
if (failed.length > 0) {
  console.error(`failed: ${failed.join(', ')}`)
  process.exit(1)
}
