// Banners above every screen: an admin views as another user; a new build of the screens is ready.
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
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
      <HeldBanner />
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

/** A restored copy sends nothing until an admin allows it in Settings. */
function HeldBanner() {
  const { t } = useTranslation()
  const profile = useProfile()
  if (profile.sending_held !== true) return null
  return (
    <output className={`${classes.banner} ${classes.viewing}`}>
      <span>{t(($) => $.access.shell.sendingHeld)}</span>
      <Button size="compact-sm" variant="white" component={Link} to="/settings">
        {t(($) => $.access.shell.openSettings)}
      </Button>
    </output>
  )
}

/** With every connection the server sends its build; after an upgrade it differs from the build of this page. */
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

let isShown = false

function useUpdateNotice(): void {
  const { t } = useTranslation()
  // Opens once per page load, because the dialog lives outside this component.
  useEffect(() => {
    if (!wasUpdated || isShown) return
    isShown = true
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
