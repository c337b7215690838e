// Says above the links of a partner offer that it rejects visitors, and why; who may approves or activates it here.
import { Button } from '@mantine/core'
import { ENTITIES } from '@tributary/contract/entities/registry'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { newRequestId } from '../../data/live.ts'
import { useCan } from '../../data/profile.ts'
import { keys, queryClient } from '../../data/query-client.ts'
import { notifyUndoable } from '../../entities/history/undo.ts'
import { notifyFailure } from '../../ui/notify.ts'
import classes from './offer-partner-form.module.css'
import { partnerOfferTitle } from './partner-offer-title.ts'

export function ShutNotice({ row }: { row: Readonly<Record<string, unknown>> }) {
  const { t } = useTranslation()
  const can = useCan()
  const [isSaving, setSaving] = useState(false)
  const isUnapproved = row.state !== 'approved'
  if (row.active === true && !isUnapproved) return null
  const act = isUnapproved ? t(($) => $.links.approve) : t(($) => $.actions.activate)
  const save = async () => {
    setSaving(true)
    const requestId = newRequestId()
    const values = isUnapproved ? { state: 'approved' } : { active: true }
    try {
      await http.patch(`offer_partner/${String(row.id)}`, values, { requestId })
      const done = isUnapproved ? t(($) => $.links.approved) : t(($) => $.list.activated)
      notifyUndoable(`${done}: ${partnerOfferTitle({ ...row, id: Number(row.id) })}`, [requestId])
      await queryClient.invalidateQueries({ queryKey: keys.entity('offer_partner') })
    } catch (error) {
      notifyFailure(error)
    } finally {
      setSaving(false)
    }
  }
  return (
    <div className={classes.shut} role="status">
      <span>{isUnapproved ? t(($) => $.links.unapproved) : t(($) => $.links.inactive)}</span>
      {can(ENTITIES.offer_partner.access.edit) ? (
        <Button size="compact-sm" variant="default" loading={isSaving} onClick={() => void save()}>
          {act}
        </Button>
      ) : null}
    </div>
  )
}
