// How the signed-in user's own partner is paid. A change waits until staff confirm it.
import { useTranslation } from 'react-i18next'
import { useProfile } from '../../data/profile.ts'
import classes from '../../entities/billing/billing.module.css'
import { BillingPanel } from '../../entities/billing/billing-panel.tsx'
import { Page } from '../../ui/page.tsx'
import { EmptyState } from '../../ui/states.tsx'

export function OwnBillingScreen() {
  const { t } = useTranslation()
  const { partner } = useProfile()
  return (
    <Page
      title={t(($) => $.screens['own-billing'].title)}
      subtitle={partner?.title ?? t(($) => $.screens['own-billing'].subtitle)}
    >
      {partner === null ? (
        <EmptyState title={t(($) => $.billing.noPartner)} text={t(($) => $.billing.noPartnerText)} />
      ) : (
        <div className={classes.page}>
          <BillingPanel partner={partner.id} />
        </div>
      )}
    </Page>
  )
}
