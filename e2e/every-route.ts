// Every route of the screens, read from the router of the page, with ids of records that exist.
import type { Page } from '@playwright/test'
import { ENTITIES } from '@tributary/contract/entities/registry'
import { apiOf } from './admin-api.ts'

/** What the router leaves on the page. */
interface Routed {
  readonly __TSR_ROUTER__: {
    readonly routesByPath: Readonly<Record<string, unknown>>
    readonly history: { readonly push: (path: string) => void }
    readonly state: { readonly status: string; readonly resolvedLocation?: { readonly pathname: string } }
  }
}

/** A screen of partners alone. */
const PARTNERS_OWN = '/billing'

/** Addresses that redirect, and those of signed-out users. */
const isShown = (path: string) =>
  path !== '/' && path !== '/$' && path !== '/finance' && path !== PARTNERS_OWN && !path.startsWith('/auth/')

export const routeTable = (page: Page): Promise<string[]> =>
  page.evaluate(() => Object.keys((globalThis as unknown as Routed).__TSR_ROUTER__.routesByPath))

/** The addresses of all routes that an admin may open; of an entity without rows only the list. */
export async function everyAddress(page: Page): Promise<string[]> {
  const api = apiOf(page)
  const table = (await routeTable(page)).map((path) => path.replace(/(?<=.)\/$/, '')).filter(isShown)
  const addresses: string[] = []
  const ids = new Map<string, number | undefined>()
  for (const path of new Set(table)) {
    const [list = ''] = path.split('/$id')
    const entity = Object.entries(ENTITIES).find(([, { route }]) => route === list)?.[0]
    if (!path.includes('$id')) {
      addresses.push(path)
      continue
    }
    if (entity === undefined) throw new Error(`${path}: no entity has this list`)
    if (!ids.has(list)) {
      const { items } = (await api.done('GET', `${entity}?limit=10`)) as unknown as { items: { id: number }[] }
      ids.set(list, items[0]?.id)
    }
    const id = ids.get(list)
    if (id !== undefined) addresses.push(path.replace('$id', String(id)))
  }
  return addresses
}

/** Goes to an address inside the page, and waits until its screen shows what it loads. */
export async function openRoute(page: Page, path: string): Promise<void> {
  await page.evaluate((wanted) => (globalThis as unknown as Routed).__TSR_ROUTER__.history.push(wanted), path)
  await page.waitForFunction(
    (wanted) => {
      const { state } = (globalThis as unknown as Routed).__TSR_ROUTER__
      const isShown = state.status === 'idle' && state.resolvedLocation?.pathname === wanted.split('?')[0]
      const isBusy = document.querySelector('main [aria-busy="true"], main .mantine-Skeleton-root') !== null
      return isShown && !isBusy && document.querySelector('main h1') !== null
    },
    path,
    { timeout: 15_000, polling: 50 },
  )
  await page.evaluate(settle)
}

/** Resolves when the screen has not changed for a moment, or after two seconds. */
function settle(): Promise<void> {
  const QUIET_MS = 200
  const MOST_MS = 2000
  return new Promise((resolve) => {
    let quiet = setTimeout(end, QUIET_MS)
    const most = setTimeout(end, MOST_MS)
    const observer = new MutationObserver(() => {
      clearTimeout(quiet)
      quiet = setTimeout(end, QUIET_MS)
    })
    observer.observe(document.body, { childList: true, subtree: true })
    function end(): void {
      clearTimeout(quiet)
      clearTimeout(most)
      observer.disconnect()
      resolve()
    }
  })
}
