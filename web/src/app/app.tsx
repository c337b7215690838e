// Wraps all screens in their providers: look, query cache, routes.
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { queryClient } from '../data/query-client.ts'
import { resolveVariables, theme } from '../ui/theme.ts'
import { router } from './router.tsx'

const colorScheme = localStorageColorSchemeManager({ key: 'color_scheme' })

export function App() {
  return (
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
    </MantineProvider>
  )
}
