// Days that the players API was asked for, and the door by which it is asked.
import { Button } from '@mantine/core'
import { IconCloudDownload } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type ListParts, ListScreen } from '../../entities/list-screen.tsx'
import { loadPart } from '../../lib/lazy-part.ts'

const RetrieveModal = lazy(() =>
  loadPart('retrieve', () => import('./retrieve-modal.tsx')).then(({ RetrieveModal: part }) => ({ default: part })),
)

function RetrieveButton() {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button leftSection={<IconCloudDownload size={15} aria-hidden />} onClick={() => setOpen(true)}>
        {t(($) => $.players.retrieve.open)}
      </Button>
      {isOpen ? (
        <Suspense fallback={null}>
          <RetrieveModal onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  )
}

const PARTS: ListParts = { tools: RetrieveButton }

export function PlayersReportApiList() {
  return <ListScreen name="players_report_api" parts={PARTS} />
}
