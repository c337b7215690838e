// The button of the saved reports; what is behind it is downloaded when it is first opened.
import { Button } from '@mantine/core'
import { IconBookmark } from '@tabler/icons-react'
import type { SavedReport, SavedReportState } from '@tributary/contract/reports/saved'
import { lazy, Suspense, useState } from 'react'
import { useReportWords } from '../i18n/report-words.ts'
import { loadPart } from '../lib/lazy-part.ts'
import { PopUp } from '../ui/pop-up.tsx'
import classes from './report.module.css'

const SavedPanel = lazy(() =>
  loadPart('saved reports', () => import('./saved-panel.tsx')).then((part) => ({ default: part.SavedPanel })),
)

export interface SavedButtonProps {
  /** Path of the report. */
  report: string
  /** What is on the screen now. */
  current: () => SavedReportState
  onOpen: (saved: SavedReport) => void
}

export function SavedButton(props: SavedButtonProps) {
  const words = useReportWords()
  const [isOpen, setOpen] = useState(false)
  return (
    <PopUp
      isOpen={isOpen}
      onChange={setOpen}
      position="bottom-end"
      padding={10}
      target={
        <Button
          variant="default"
          classNames={{ root: classes.action ?? '', section: classes.actionIcon ?? '' }}
          leftSection={<IconBookmark size={15} aria-hidden />}
          aria-label={words.saved.title}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <span className={classes.actionLabel}>{words.saved.title}</span>
        </Button>
      }
    >
      <Suspense fallback={null}>
        <SavedPanel {...props} onClose={() => setOpen(false)} />
      </Suspense>
    </PopUp>
  )
}
