// How the screens are built and served while one works on them: lazy parts, one chunk for what every screen needs, no inline script.
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const api = process.env.API_URL ?? 'http://localhost:8080'

export default defineConfig({
  plugins: [react()],
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
