// How the screens are built, and served while one works on them. Routes and charts are chunks of their own; no script is inline.
import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const api = process.env.API_URL ?? 'http://localhost:8080'

const gzip = promisify(zlib.gzip)
const brotli = promisify(zlib.brotliCompress)

/** Writes .br and .gz beside every text file, so that the server compresses nothing on the way out. */
function compressFiles(): Plugin {
  return {
    name: 'compress-files',
    apply: 'build',
    async writeBundle({ dir: directory = 'dist' }) {
      const files = readdirSync(directory, { recursive: true, encoding: 'utf8' })
      const compress = async (file: string): Promise<void> => {
        const bytes = await readFile(join(directory, file))
        const params = { [zlib.constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
        await writeFile(join(directory, `${file}.gz`), await gzip(bytes, { level: 9 }))
        await writeFile(join(directory, `${file}.br`), await brotli(bytes, { params }))
      }
      await Promise.all(files.filter((file) => /\.(js|css|html|svg)$/.test(file)).map(compress))
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
  plugins: [react(), nameBuild(), compressFiles()],
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
    // What every page needs is one file.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'base', tags: ['$initial'], priority: 1 },
            // Small parts of most pages compress better together than each alone.
            { name: 'shared', minShareCount: 40 },
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
