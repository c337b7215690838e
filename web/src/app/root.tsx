// What surrounds every address: the title in the browser's tab and the thin bar while a page is on its way.
import { Outlet, useMatches, useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { currentWords } from '../i18n/language.ts'
import { loadPart } from '../lib/lazy-part.ts'
import { areOverlaysWanted, subscribeOverlays } from '../ui/overlay-host.ts'
import classes from './root.module.css'

const Overlays = lazy(() =>
  loadPart('overlays', () => import('../ui/overlays.tsx')).then((part) => ({ default: part.Overlays })),
)

export function Root() {
  useTranslation()
  const words = currentWords()
  const titled = useMatches().findLast(({ staticData }) => staticData.title)
  const title = titled?.staticData.title?.(words)
  const isOnItsWay = useRouterState({ select: ({ status }) => status === 'pending' })
  const hasOverlays = useSyncExternalStore(subscribeOverlays, areOverlaysWanted)
  // Follows the address: the tab's title is outside React.
  useEffect(() => {
    document.title = title ? `${title} · ${words.product}` : words.product
  }, [title, words.product])
  return (
    <>
      {isOnItsWay ? <div className={classes.progress} aria-hidden /> : null}
      <Outlet />
      {hasOverlays ? (
        <Suspense fallback={null}>
          <Overlays />
        </Suspense>
      ) : null}
    </>
  )
}
