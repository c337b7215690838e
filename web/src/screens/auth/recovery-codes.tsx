// Shown once, after the second factor was set up: the codes for a lost telephone.
import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CodeList } from '../../ui/code-list.tsx'
import classes from './auth.module.css'

export function RecoveryCodes({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) {
  const { t } = useTranslation()
  return (
    <div className={classes.form} role="alert">
      <strong>{t(($) => $.access.recovery.title)}</strong>
      <p className={classes.label}>{t(($) => $.access.recovery.hint)}</p>
      <CodeList codes={codes} />
      <Button size="md" fullWidth onClick={onKept}>
        {t(($) => $.access.recovery.kept)}
      </Button>
    </div>
  )
}
