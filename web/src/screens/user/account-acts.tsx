// What is done about someone's account beside saving it: an invitation, a new second factor, signing out, looking on as them.
import { Button } from '@mantine/core'
import type { RoleKind } from '@tributary/contract/access'
import { ADMIN_ONLY } from '@tributary/contract/access'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { useCan, useProfile } from '../../data/profile.ts'
import { viewAs } from '../../data/view-as.ts'
import type { SectionProps } from '../../entities/form/form-parts.ts'
import { confirmAct } from '../../ui/confirm.ts'
import { notifyFailure, notifySuccess } from '../../ui/notify.ts'
import classes from './user-form.module.css'

export function AccountActs({ row }: SectionProps) {
  const { t } = useTranslation()
  const can = useCan()
  const profile = useProfile()
  if (row === null || row.id === profile.id || row.enabled !== true) return null
  const id = Number(row.id)
  const { kind } = row.role as { kind?: RoleKind }
  const act = async (work: () => Promise<unknown>, done?: string) => {
    try {
      await work()
      if (done !== undefined) notifySuccess(done)
    } catch (error) {
      notifyFailure(error)
    }
  }
  const reset = async () => {
    const title = t(($) => $.access.people.resetFactor)
    const isSure = await confirmAct({
      title,
      text: t(($) => $.access.people.resetFactorText),
      confirm: title,
      danger: true,
    })
    if (isSure)
      await act(
        () => http.post(`user/${id}/reset_two_factor`, {}),
        t(($) => $.access.people.factorReset),
      )
  }
  return (
    <div className={classes.acts}>
      <Button
        variant="default"
        onClick={() =>
          void act(
            () => http.post(`user/${id}/invitation`, {}),
            t(($) => $.access.people.invited),
          )
        }
      >
        {t(($) => $.access.people.invite)}
      </Button>
      {can(ADMIN_ONLY) ? (
        <>
          <Button variant="default" onClick={() => void reset()}>
            {t(($) => $.access.people.resetFactor)}
          </Button>
          <Button
            variant="default"
            onClick={() =>
              void act(
                () => http.delete(`user/${id}/sessions`),
                t(($) => $.access.people.sessionsEnded),
              )
            }
          >
            {t(($) => $.access.people.endSessions)}
          </Button>
          {kind === 'ADMIN' ? null : (
            <Button variant="default" onClick={() => void act(() => viewAs(id))}>
              {t(($) => $.access.people.viewAs)}
            </Button>
          )}
        </>
      ) : null}
    </div>
  )
}
