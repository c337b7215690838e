// Titles of filtered rows: titles that one user has seen must not reach the next user of the page.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { memoryStore } from '../src/lib/storage.ts'

const Names = ({ useTitles }: { useTitles: () => string[] }) => useTitles()

test('titles are forgotten when the session ends [PERM-07]', async () => {
  vi.stubGlobal('window', { localStorage: memoryStore(), addEventListener: () => undefined })
  const { rememberOptions, useOptions } = await import('../src/reports/filter/filter-options.ts')
  const { session } = await import('../src/state/session.ts')
  const names = () =>
    renderToStaticMarkup(
      <QueryClientProvider client={new QueryClient()}>
        <Names useTitles={() => useOptions('partners', [4], '').map(({ title }) => title)} />
      </QueryClientProvider>,
    )
  for (const end of [() => session.clear('logout'), () => session.clear('expired')]) {
    session.save({ token: 'a', refreshToken: 'b' })
    rememberOptions('partner', [{ id: 4, title: 'Betwell' }])
    expect(names()).toBe('Betwell')
    end()
    expect(names()).toBe('#4')
  }
})
