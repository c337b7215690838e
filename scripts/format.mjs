// `npm run format`: formats files and sorts imports.
import { installPackages } from './bootstrap.mjs'
import { run, tool } from './root.mjs'

await installPackages()
process.exit(await run(tool('biome'), ['check', '--write', '--linter-enabled=false', '.']))
