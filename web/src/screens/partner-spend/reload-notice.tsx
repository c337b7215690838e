// Says that the shown table is an older one, because it could not be loaded again.
import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import classes from './spend-panels.module.css'

export function ReloadNotice({ onRetry }: { onRetry: () => void }) {
  const { t } = useTranslation()
  return (
    <div className={classes.closed} role="alert">
      <IconAlertTriangle size={15} aria-hidden />
      <span>{t(($) => $.spends.table.reloadFailed)}</span>
      <Button variant="default" size="compact-sm" onClick={onRetry}>
        {t(($) => $.errors.retry)}
      </Button>
    </div>
  )
}
