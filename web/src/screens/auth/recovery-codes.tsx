// Shown once, after the second factor was set up: the codes for a lost telephone.
import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CodeList } from '../../ui/code-list.tsx'
import classes from './auth.module.css'
import { AuthFrame } from './auth-frame.tsx'

export function RecoveryCodes({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) {
  const { t } = useTranslation()
  return (
    <AuthFrame title={t(($) => $.access.recovery.title)} hint={t(($) => $.access.recovery.hint)}>
      <div className={classes.form} role="alert">
        <CodeList codes={codes} />
        <Button size="md" fullWidth onClick={onKept}>
          {t(($) => $.access.recovery.kept)}
        </Button>
      </div>
    </AuthFrame>
  )
}
