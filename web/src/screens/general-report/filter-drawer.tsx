// The filters where there is no room beside the table: above it, and gone when closed.
import { Drawer } from '@mantine/core'
import type { RoleKind } from '@tributary/contract/access'
import { useState } from 'react'
import { useReportWords } from '../../i18n/report-words.ts'
import { FilterPanel } from './filter-panel.tsx'
import type { ReportControl } from './use-report-state.ts'

interface FilterDrawerProps {
  control: ReportControl
  role: RoleKind
  onClose: () => void
}

export function FilterDrawer({ control, role, onClose }: FilterDrawerProps) {
  const words = useReportWords()
  const [isOpen, setOpen] = useState(true)
  return (
    <Drawer
      opened={isOpen}
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
