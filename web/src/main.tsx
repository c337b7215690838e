// Starts the screens inside their providers: look, query cache, routes. The language loads first, so that nothing is shown untranslated.
import './state/version.ts'
import './ui/mantine.css'
import './ui/theme.css'
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { router } from './app/router.tsx'
import { queryClient } from './data/query-client.ts'
import { startLanguage } from './i18n/language.ts'
import { density } from './state/preferences.ts'
import { resolveVariables, theme } from './ui/theme.ts'

// The content security policy forbids evaluated code; Zod must not try whether it is allowed.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })

/** How long the page may be blank. */
const BLANK_MS = 400

const place = document.getElementById('root')
if (!place) throw new Error('the page has no #root')

const followDensity = () => document.documentElement.setAttribute('data-density', density.get())
followDensity()
density.subscribe(followDensity)

const colorScheme = localStorageColorSchemeManager({ key: 'color_scheme' })

await startLanguage()
// Follows the address, which may change before the first render. After it the router does so itself.
const stopFollowing = router.history.subscribe(() => void router.load())
router.subscribe('onRendered', stopFollowing)
// The first render shows the frame if the server is quick, and otherwise a progress bar. The router repeats a failed load and shows its error.
await Promise.race([router.load().catch(() => undefined), new Promise((resolve) => setTimeout(resolve, BLANK_MS))])
// A transition renders in steps, so that the page answers to input meanwhile.
startTransition(() =>
  createRoot(place).render(
    <MantineProvider
      deduplicateCssVariables={false}
      theme={theme}
      defaultColorScheme="auto"
      colorSchemeManager={colorScheme}
      cssVariablesResolver={resolveVariables}
    >
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>,
  ),
)
