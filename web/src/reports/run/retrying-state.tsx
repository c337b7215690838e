// Shown instead of a report after a failed request, until the next attempt is answered.
import { Loader } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from '../../ui/notice.module.css'

export function RetryingState() {
  const { t } = useTranslation('reports')
  return (
    <div className={classes.box} role="status">
      <span className={classes.icon}>
        <Loader size={20} aria-hidden />
      </span>
      <p className={classes.text}>{t(($) => $.status.retrying)}</p>
    </div>
  )
}
