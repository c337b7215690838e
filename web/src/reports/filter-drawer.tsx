// The filters where there is no room beside the table: above it, and gone when closed.
import { Drawer } from '@mantine/core'
import type { RoleKind } from '@tributary/contract/access'
import { useState } from 'react'
import { useReportWords } from '../i18n/report-words.ts'
import { useLateOpening } from '../ui/use-late-opening.ts'
import type { FilterControl } from './filter-control.ts'
import { FilterPanel } from './filter-panel.tsx'

interface FilterDrawerProps {
  control: FilterControl
  role: RoleKind
  onClose: () => void
}

export function FilterDrawer({ control, role, onClose }: FilterDrawerProps) {
  const words = useReportWords()
  const [isOpen, setOpen] = useState(true)
  const isOpened = useLateOpening(isOpen)
  return (
    <Drawer
      opened={isOpened}
      onClose={() => setOpen(false)}
      onExitTransitionEnd={onClose}
      size={340}
      title={words.filterPanel.title}
      closeButtonProps={{ 'aria-label': words.filterPanel.hide }}
    >
      <FilterPanel control={control} role={role} />
    </Drawer>
  )
}
