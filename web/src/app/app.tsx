// The providers around every screen, from the outermost in: look, cache, modals, corner messages, routes.
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { ModalsProvider } from '@mantine/modals'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { queryClient } from '../data/query-client.ts'
import { resolveVariables, theme } from '../ui/theme.ts'
import { router } from './router.tsx'

const colorScheme = localStorageColorSchemeManager({ key: 'color_scheme' })

export function App() {
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      colorSchemeManager={colorScheme}
      cssVariablesResolver={resolveVariables}
    >
      <QueryClientProvider client={queryClient}>
        <ModalsProvider>
          <Notifications position="bottom-right" limit={4} />
          <RouterProvider router={router} />
        </ModalsProvider>
      </QueryClientProvider>
    </MantineProvider>
  )
}
