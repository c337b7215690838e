// Entries of player reports, and the door by which reports come in.
import { Button } from '@mantine/core'
import { IconFileImport } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type ListParts, ListScreen } from '../../entities/list/list-screen.tsx'
import { ImportPanel } from './import-panel.tsx'

function ImportButton() {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button leftSection={<IconFileImport size={15} aria-hidden />} onClick={() => setOpen(true)}>
        {t(($) => $.players.imports.open)}
      </Button>
      <ImportPanel isOpen={isOpen} onClose={() => setOpen(false)} />
    </>
  )
}

const PARTS: ListParts = { tools: ImportButton }

export function PlayerReportList() {
  return <ListScreen name="player_report" parts={PARTS} />
}
