// The button that opens the saved reports.
import { Button, Popover } from '@mantine/core'
import { IconBookmark } from '@tabler/icons-react'
import type { SavedReport, SavedReportState } from '@tributary/contract/reports/saved'
import { useState } from 'react'
import { useReportWords } from '../../i18n/labels.ts'
import { lazyComponent } from '../../lib/lazy-component.tsx'
import classes from '../report.module.css'

const SavedPanel = lazyComponent('saved reports', async () => (await import('./saved-panel.tsx')).SavedPanel)

export interface SavedButtonProps {
  /** The path of the report. */
  report: string
  /** Returns the current state of the screen. */
  current: () => SavedReportState
  onOpen: (saved: SavedReport) => void
}

export function SavedButton(props: SavedButtonProps) {
  const words = useReportWords()
  const [isOpen, setOpen] = useState(false)
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end">
      <Popover.Target>
        <Button
          variant="default"
          classNames={{ root: classes.action ?? '', section: classes.actionIcon ?? '' }}
          leftSection={<IconBookmark size={15} aria-hidden />}
          aria-label={words.saved.title}
          onClick={() => (isOpen ? setOpen(false) : void SavedPanel.preload().then(() => setOpen(true)))}
        >
          <span className={classes.actionLabel}>{words.saved.title}</span>
        </Button>
      </Popover.Target>
      <Popover.Dropdown p={10}>
        <SavedPanel {...props} onClose={() => setOpen(false)} />
      </Popover.Dropdown>
    </Popover>
  )
}
