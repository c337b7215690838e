// Stands in place of a report while the server, which did not answer, is asked again.
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
