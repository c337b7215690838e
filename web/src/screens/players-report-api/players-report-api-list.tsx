// Days that the players API was asked for, and the door by which it is asked.
import { Button } from '@mantine/core'
import { IconCloudDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type ListParts, ListScreen } from '../../entities/list/list-screen.tsx'
import { RetrieveModal } from './retrieve-modal.tsx'

function RetrieveButton() {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button leftSection={<IconCloudDownload size={15} aria-hidden />} onClick={() => setOpen(true)}>
        {t(($) => $.players.retrieve.open)}
      </Button>
      <RetrieveModal isOpen={isOpen} onClose={() => setOpen(false)} />
    </>
  )
}

const PARTS: ListParts = { tools: RetrieveButton }

export function PlayersReportApiList() {
  return <ListScreen name="players_report_api" parts={PARTS} />
}
