// The product's sign: two streams that become one.
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Sign } from '../ui/sign.tsx'
import classes from './frame.module.css'

export function Brand({ short = false }: { short?: boolean }) {
  const { t } = useTranslation()
  return (
    <Link to="/" className={classes.brand ?? ''} aria-label={t(($) => $.product)}>
      <Sign className={classes.sign} />
      {short ? null : t(($) => $.product)}
    </Link>
  )
}
