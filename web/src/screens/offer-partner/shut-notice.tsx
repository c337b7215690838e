// Says above the links of a partner offer that it rejects visitors, and why. Users who may edit it approve or activate it here.
import { Button } from '@mantine/core'
import { ENTITIES } from '@tributary/contract/entities/registry'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { newRequestId } from '../../data/live.ts'
import { useCan } from '../../data/profile.ts'
import { keys, queryClient } from '../../data/query-client.ts'
import { notifyUndoable } from '../../entities/history/undo.ts'
import { activateRow } from '../../entities/list/row-actions.tsx'
import { notifyFailure } from '../../ui/notify.ts'
import classes from './offer-partner-form.module.css'
import { partnerOfferTitle } from './partner-offer-title.ts'

export function ShutNotice({ row }: { row: Readonly<Record<string, unknown>> }) {
  const { t } = useTranslation()
  const can = useCan()
  const [isSaving, setSaving] = useState(false)
  const isUnapproved = row.state !== 'approved'
  if (row.active === true && !isUnapproved) return null
  const record = { ...row, id: Number(row.id) }
  const approve = async () => {
    const requestId = newRequestId()
    try {
      await http.patch(`offer_partner/${record.id}`, { state: 'approved' }, { requestId })
      notifyUndoable(`${t(($) => $.links.approved)}: ${partnerOfferTitle(record)}`, [requestId])
      await queryClient.invalidateQueries({ queryKey: keys.entity('offer_partner') })
    } catch (error) {
      notifyFailure(error)
    }
  }
  const save = async () => {
    setSaving(true)
    await (isUnapproved ? approve() : activateRow('offer_partner')(record, true))
    setSaving(false)
  }
  return (
    <div className={classes.shut} role="status">
      <span>{isUnapproved ? t(($) => $.links.unapproved) : t(($) => $.links.inactive)}</span>
      {can(ENTITIES.offer_partner.access.edit) ? (
        <Button size="compact-sm" variant="default" loading={isSaving} onClick={() => void save()}>
          {isUnapproved ? t(($) => $.links.approve) : t(($) => $.actions.activate)}
        </Button>
      ) : null}
    </div>
  )
}
