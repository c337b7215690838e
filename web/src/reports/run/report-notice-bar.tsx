// Above a report: that something is being recomputed and the numbers may be inaccurate; later, that it is done and the report should be loaded again.
import { CloseButton, Loader } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { ReportNotice } from './report-notice.ts'
import classes from './report-notice-bar.module.css'

export function ReportNoticeBar({ notice, onReload }: { notice: ReportNotice; onReload: () => void }) {
  const { t } = useTranslation('reports')
  if (notice.updating.length > 0)
    return (
      <div className={`${classes.bar} ${classes.updating}`} role="status">
        <Loader size={14} aria-hidden />
        <span>
          <strong>{notice.updating.join('. ')}.</strong> {t(($) => $.notice.inaccurate)}
        </span>
      </div>
    )
  if (!notice.isUpdated) return null
  return (
    <div className={classes.bar} role="status">
      <IconRefresh size={15} aria-hidden />
      <span>
        <strong>{t(($) => $.notice.updated)}</strong>
      </span>
      <button type="button" className={classes.reload} onClick={onReload}>
        {t(($) => $.notice.reload)}
      </button>
      <CloseButton size="sm" aria-label={t(($) => $.notice.close)} onClick={notice.dismiss} />
    </div>
  )
}
