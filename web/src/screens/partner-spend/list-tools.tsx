// The list of spends (page view): claims among selected rows, the import, and the way to the table view.
import { Button } from '@mantine/core'
import { IconTable } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { isClaimant } from '@tributary/contract/spend-claim'
import { useTranslation } from 'react-i18next'
import { holderOf, useProfile } from '../../data/profile.ts'
import type { ListSlots } from '../../entities/list/list-screen.tsx'
import { ClaimActions } from './claim-actions.tsx'
import { SpendImportButton } from './import-modal.tsx'
import { PARTNER_SPEND_FORM } from './spend-form.ts'
import { SpendTableScreen } from './spend-table-screen.tsx'

function SpendTools() {
  const { t } = useTranslation()
  const holder = holderOf(useProfile())
  if (holder.role === 'PARTNER') return null
  return (
    <>
      <Button
        variant="default"
        renderRoot={(props) => <Link to="/partners-spends" search={{ view: 'table' }} {...props} />}
        leftSection={<IconTable size={15} aria-hidden />}
      >
        {t(($) => $.spends.table.open)}
      </Button>
      {isClaimant(holder) ? null : <SpendImportButton partner={null} month={null} />}
    </>
  )
}

export const PARTNER_SPEND_LIST: ListSlots = {
  BulkActions: ClaimActions,
  form: PARTNER_SPEND_FORM,
  tools: SpendTools,
  views: { table: SpendTableScreen },
}
