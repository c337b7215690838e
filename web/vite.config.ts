// How the screens are built and served while one works on them: lazy parts, one chunk for what every screen needs, no inline script.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const api = process.env.API_URL ?? 'http://localhost:8080'

/** Written as their values when the product is built: what they are computed from is not needed on the way to the first report. */
const COMPUTED = /web.src.(data.entity-places|i18n.(en|ru).titles)\.ts$/
/** What every table on the way to the first report needs; without this, each small module they share is a request of its own. */
const TABLE_PARTS =
  /@tanstack.(react-)?(virtual|query)|@tabler|contract.(list-query|period|reports)|web.src.(lib|data|i18n.report-words|reports.(?!filter-(panel|drawer|field)|metric-conditions|series-chart|chart)|screens.general-report.(?!filter|metric|drill|row-menu|selection-bar|report-chart)|ui.(table|sort|date-range|filter|value|page|state|notify|confirm|overlay-host|copy-button|failed|empty|hint|drop-menu|pop-up|hook|anchor))/
/** Mantine beyond the first report: what hangs on other elements, and what lists and forms use. It needs nothing of the product's own. */
const MANTINE_PARTS =
  /@mantine.(core|hooks)|@floating-ui|react-remove-scroll|react-style-singleton|use-(sidecar|callback-ref)|get-nonce/
/** What only forms need. */
const FORM_PARTS =
  /react-hook-form|@hookform|contract.(validate|macros|words)|web.src.entities.(form|use-entity-form|(field|number|text)-input|(collection|reference|static|number|text)-field)/
/** What lists and forms of records share beyond that. */
const RECORD_PARTS = /web.src.(entities.(list|filter|condition|column|field-value|row|option|paused|requirement)|ui)/

/** Runs a module when the product is built and puts its values in its place. */
function computeModules(): Plugin {
  return {
    name: 'compute-modules',
    apply: 'build',
    load: {
      filter: { id: COMPUTED },
      async handler(id) {
        const values = Object.entries((await import(id)) as Record<string, unknown>)
        return values.map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}`).join('\n')
      },
    },
  }
}

/** Writes .br and .gz beside every text file, so that the server compresses nothing on the way out. */
function compressFiles(): Plugin {
  return {
    name: 'compress-files',
    apply: 'build',
    writeBundle({ dir: directory = 'dist' }) {
      for (const file of readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
        if (!/\.(js|css|html|svg)$/.test(file)) continue
        const bytes = readFileSync(join(directory, file))
        writeFileSync(join(directory, `${file}.gz`), gzipSync(bytes, { level: 9 }))
        const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
        writeFileSync(join(directory, `${file}.br`), brotliCompressSync(bytes, { params }))
      }
    },
  }
}

/** The page says which build it is: a name made of the names of all its files, which carry their contents' hashes. */
function nameBuild(): Plugin {
  return {
    name: 'name-build',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const names = Object.keys(bundle).sort((a, b) => a.localeCompare(b))
        const content = createHash('sha256').update(names.join('\n')).digest('hex').slice(0, 12)
        return [{ tag: 'meta', attrs: { name: 'version', content }, injectTo: 'head' }]
      },
    },
  }
}

export default defineConfig({
  plugins: [react(), computeModules(), nameBuild(), compressFiles()],
  resolve: {
    // Where the browser has Temporal of its own, the polyfill is not downloaded.
    alias: [{ find: /^temporal-polyfill$/, replacement: new URL('./src/lib/temporal.ts', import.meta.url).pathname }],
  },
  css: { modules: { generateScopedName: 't[hash:base64:5]' } },
  build: {
    outDir: 'dist',
    target: 'es2023',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 900,
    // One style sheet and one chunk for what every page needs: few requests before the first screen.
    cssCodeSplit: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'base', tags: ['$initial'], priority: 5 },
            { name: 'table', test: TABLE_PARTS, minShareCount: 2, priority: 4 },
            { name: 'mantine', test: MANTINE_PARTS, minShareCount: 2, priority: 3 },
            { name: 'form', test: FORM_PARTS, minShareCount: 2, includeDependenciesRecursively: false, priority: 2 },
            { name: 'record', test: RECORD_PARTS, minShareCount: 2, priority: 1 },
          ],
        },
      },
    },
  },
  server: {
    port: Number(process.env.WEB_PORT ?? 5173),
    proxy: { '/api': { target: api }, '/c/': { target: api }, '/postback/': { target: api } },
  },
})
