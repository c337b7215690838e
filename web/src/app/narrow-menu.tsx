// The menu as a drawer, where the screen is too narrow to keep it open.
import { Drawer } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { NavigationArea } from './navigation.ts'
import { SideMenu } from './side-menu.tsx'

interface NarrowMenuProps {
  areas: readonly NavigationArea[]
  isOpen: boolean
  onClose: () => void
}

export function NarrowMenu({ areas, isOpen, onClose }: NarrowMenuProps) {
  const { t } = useTranslation()
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      size={280}
      title={t(($) => $.product)}
      closeButtonProps={{ 'aria-label': t(($) => $.frame.closeMenu) }}
      styles={{ body: { padding: 0 } }}
    >
      <SideMenu areas={areas} onOpen={onClose} />
    </Drawer>
  )
}
