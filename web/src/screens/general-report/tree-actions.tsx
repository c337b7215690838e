// Opens or closes the whole tree at once.
import { ActionIcon } from '@mantine/core'
import { IconChevronsDown, IconChevronsUp } from '@tabler/icons-react'
import { useReportWords } from '../../i18n/report-words.ts'
import classes from '../../reports/report.module.css'
import { Hint } from '../../ui/hint.tsx'

export function TreeActions({ onOpen, onClose }: { onOpen: () => void; onClose: () => void }) {
  const words = useReportWords()
  return (
    <span className={classes.treeActions}>
      <Hint label={words.table.expandAll}>
        <ActionIcon size={24} aria-label={words.table.expandAll} onClick={onOpen}>
          <IconChevronsDown size={15} aria-hidden />
        </ActionIcon>
      </Hint>
      <Hint label={words.table.collapseAll}>
        <ActionIcon size={24} aria-label={words.table.collapseAll} onClick={onClose}>
          <IconChevronsUp size={15} aria-hidden />
        </ActionIcon>
      </Hint>
    </span>
  )
}
