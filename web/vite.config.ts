// How the screens are built and served while one works on them: lazy parts, one chunk for what every screen needs, no inline script.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const api = process.env.API_URL ?? 'http://localhost:8080'

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

export default defineConfig({
  plugins: [react(), compressFiles()],
  resolve: {
    // Where the browser has Temporal of its own, the polyfill is not downloaded.
    alias: [{ find: /^temporal-polyfill$/, replacement: new URL('./src/lib/temporal.ts', import.meta.url).pathname }],
  },
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
            { name: 'base', tags: ['$initial'], priority: 2 },
            { name: 'base', test: /rolldown\/runtime/, priority: 2 },
            {
              name: 'widgets',
              test: /node_modules|web\/src\/(ui|data|lib|i18n\/labels)/,
              minShareCount: 2,
              priority: 1,
            },
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
