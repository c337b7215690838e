// What stands above every screen when it must: whose eyes one looks through, and that a new build of the screens is ready.
import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLive } from '../data/live.ts'
import { useProfile } from '../data/profile.ts'
import { stopViewing } from '../data/sign-in.ts'
import { localStore } from '../lib/storage.ts'
import { buildVersion, recordShown, wasUpdated } from '../state/version.ts'
import { askForConfirmation } from '../ui/confirm.ts'
import { notifyFailure } from '../ui/notify.ts'
import classes from './shell-banners.module.css'

export function ShellBanners() {
  useUpdateNotice()
  return (
    <>
      <ViewBanner />
      <VersionBanner />
    </>
  )
}

function ViewBanner() {
  const { t } = useTranslation()
  const profile = useProfile()
  if (profile.viewed_by === null) return null
  return (
    <output className={`${classes.banner} ${classes.viewing}`}>
      <span>{t(($) => $.access.shell.viewing, { name: profile.full_name })}</span>
      <Button size="compact-sm" variant="white" onClick={() => void stopViewing().catch(notifyFailure)}>
        {t(($) => $.access.shell.stopViewing)}
      </Button>
    </output>
  )
}

/** The server says with every connection which build it holds: after an upgrade it is another than this page's. */
function VersionBanner() {
  const { t } = useTranslation()
  const [isNew, setNew] = useState(false)
  useLive('version', ({ version }) => setNew(version !== '' && buildVersion !== '' && version !== buildVersion))
  if (!isNew) return null
  return (
    <output className={classes.banner}>
      <span>{t(($) => $.access.shell.newVersion)}</span>
      <Button size="compact-sm" variant="white" onClick={() => window.location.reload()}>
        {t(($) => $.access.shell.refresh)}
      </Button>
    </output>
  )
}

let isTold = false

function useUpdateNotice(): void {
  const { t } = useTranslation()
  // Once a page: what is shown is a dialog, outside this component.
  useEffect(() => {
    if (!wasUpdated || isTold) return
    isTold = true
    const question = {
      title: t(($) => $.access.shell.updateTitle),
      text: t(($) => $.access.shell.updateText),
      confirm: t(($) => $.access.shell.refresh),
      decline: t(($) => $.access.shell.later),
    }
    void askForConfirmation(question).then((isWanted) => {
      recordShown(localStore(), buildVersion)
      if (isWanted) window.location.reload()
    })
  }, [t])
}
