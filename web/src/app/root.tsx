// What surrounds every address: the title in the browser's tab, the thin bar while a page is on its way, dialogs and corner messages.
import { ModalsProvider } from '@mantine/modals'
import { Notifications } from '@mantine/notifications'
import { Outlet, useMatches, useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { currentWords } from '../i18n/language.ts'
import classes from './root.module.css'

export function Root() {
  useTranslation()
  const words = currentWords()
  const titled = useMatches().findLast(({ staticData }) => staticData.title)
  const title = titled?.staticData.title?.(words)
  const isPending = useRouterState({ select: ({ status }) => status === 'pending' })
  // Follows the address: the tab's title is outside React.
  useEffect(() => {
    document.title = title ? `${title} · ${words.product}` : words.product
  }, [title, words.product])
  return (
    <ModalsProvider>
      {isPending ? <div className={classes.progress} aria-hidden /> : null}
      <Outlet />
      <Notifications position="bottom-right" limit={4} />
    </ModalsProvider>
  )
}
