// Entries of player reports, and the door by which reports come in.
import { Button } from '@mantine/core'
import { IconFileImport } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type ListParts, ListScreen } from '../../entities/list-screen.tsx'
import { loadPart } from '../../lib/lazy-part.ts'

const ImportPanel = lazy(() =>
  loadPart('import', () => import('./import-panel.tsx')).then(({ ImportPanel: part }) => ({ default: part })),
)

function ImportButton() {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button leftSection={<IconFileImport size={15} aria-hidden />} onClick={() => setOpen(true)}>
        {t(($) => $.players.imports.open)}
      </Button>
      {isOpen ? (
        <Suspense fallback={null}>
          <ImportPanel onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  )
}

const PARTS: ListParts = { tools: ImportButton }

export function PlayerReportList() {
  return <ListScreen name="player_report" parts={PARTS} />
}
