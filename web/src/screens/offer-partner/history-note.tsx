// Above the five histories of a link: what a range means.
import { useTranslation } from 'react-i18next'
import classes from './offer-partner-form.module.css'

export function HistoryNote() {
  const { t } = useTranslation()
  return <p className={classes.text}>{t(($) => $.nouns.history.text)}</p>
}
