// Opens or closes the whole tree at once.
import { ActionIcon, Tooltip } from '@mantine/core'
import { IconChevronsDown, IconChevronsUp } from '@tabler/icons-react'
import { useReportWords } from '../../i18n/labels.ts'
import classes from '../../reports/report.module.css'

export function TreeActions({ onOpen, onClose }: { onOpen: () => void; onClose: () => void }) {
  const words = useReportWords()
  return (
    <span className={classes.treeActions}>
      <Tooltip label={words.table.expandAll}>
        <ActionIcon size={24} aria-label={words.table.expandAll} onClick={onOpen}>
          <IconChevronsDown size={15} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={words.table.collapseAll}>
        <ActionIcon size={24} aria-label={words.table.collapseAll} onClick={onClose}>
          <IconChevronsUp size={15} aria-hidden />
        </ActionIcon>
      </Tooltip>
    </span>
  )
}
