// `npm run format`: layout and order of imports, nothing else.
import { installPackages } from './bootstrap.mjs'
import { run, tool } from './root.mjs'

await installPackages()
process.exit(await run(tool('biome'), ['check', '--write', '--linter-enabled=false', '.']))
