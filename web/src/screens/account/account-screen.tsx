// One's own account: where one is signed in, the password, codes for a lost telephone, keys for programs.
import { useTranslation } from 'react-i18next'
import { Page } from '../../ui/page.tsx'
import classes from './account.module.css'
import { ApiKeys } from './api-keys.tsx'
import { PasswordCard } from './password-card.tsx'
import { Sessions } from './sessions.tsx'

export function AccountScreen() {
  const { t } = useTranslation()
  return (
    <Page title={t(($) => $.screens.account.title)} subtitle={t(($) => $.screens.account.subtitle)}>
      <div className={classes.grid}>
        <Sessions />
        <PasswordCard />
        <ApiKeys />
      </div>
    </Page>
  )
}
