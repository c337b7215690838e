// The '?' beside the title of a screen: opens the guide at the page about that screen.
import { IconHelp } from '@tabler/icons-react'
import { useRouterState } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { loadScreenWords } from '../../i18n/language.ts'
import { lazyComponent } from '../../lib/lazy-component.tsx'
import { IconButton } from '../icon-button.tsx'

const GuideDrawer = lazyComponent('guide', async () => {
  const [{ GuideDrawer: Drawer }] = await Promise.all([import('./guide-drawer.tsx'), loadScreenWords()])
  return Drawer
})

export function GuideButton() {
  const { t } = useTranslation()
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  const [isOpen, setOpen] = useState(false)
  const [hasOpened, setOpened] = useState(false)
  const open = async () => {
    await GuideDrawer.preload()
    setOpened(true)
    setOpen(true)
  }
  return (
    <>
      <IconButton label={t(($) => $.frame.help)} icon={IconHelp} iconSize={17} size={26} onClick={() => void open()} />
      {hasOpened ? <GuideDrawer pathname={pathname} isOpen={isOpen} onClose={() => setOpen(false)} /> : null}
    </>
  )
}
