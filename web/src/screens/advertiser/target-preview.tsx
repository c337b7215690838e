// Under an advertiser's countries and landings: the address that comes of them, country by country, as they are being typed.
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { FormRow } from '../../entities/form/form-row.ts'
import { CopyField } from '../../ui/copy-field.tsx'
import { StateBadge } from '../../ui/state-badge.tsx'
import classes from './target-preview.module.css'
import { targetsOf } from './targets.ts'

export function TargetPreview() {
  const { t } = useTranslation()
  const values = useWatch<FormRow>()
  const targets = targetsOf(values)
  if (targets.length === 0) return null
  return (
    <section className={classes.preview} aria-label={t(($) => $.links.preview)}>
      <h3 className={classes.title}>{t(($) => $.links.preview)}</h3>
      <p className={classes.text}>{t(($) => $.links.previewText)}</p>
      <ul className={classes.targets}>
        {targets.map(({ key, country, url, hasOwnDomain, mediaId }) => (
          <li key={key}>
            <div className={classes.head}>
              <strong>{country}</strong>
              <span className={classes.note}>
                {hasOwnDomain ? t(($) => $.links.ownDomain) : t(($) => $.links.defaultDomain)}
              </span>
              {mediaId === null ? (
                <StateBadge tone="negative">{t(($) => $.links.noMedia)}</StateBadge>
              ) : (
                <span className={classes.note}>{`[${mediaId}]`}</span>
              )}
            </div>
            <CopyField value={url} label={country} whole />
          </li>
        ))}
      </ul>
    </section>
  )
}
