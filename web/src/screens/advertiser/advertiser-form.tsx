// The form of an advertiser, with a preview of the advertiser link of each country, computed from unsaved values.

import { buildAdvertiserTemplate } from '@tributary/contract/macros'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { rowsOf } from '../../entities/form/form-change.ts'
import type { ChildRow, FormRow } from '../../entities/form/form-row.ts'
import type { FormSlots } from '../../entities/form/form-slots.ts'
import { CopyField } from '../../ui/copy-field.tsx'
import { StateBadge } from '../../ui/state-badge.tsx'
import classes from './target-preview.module.css'

export interface Target {
  readonly key: string
  readonly country: string
  readonly url: string
  readonly hasOwnDomain: boolean
  /** The media ID of the country, or else of the advertiser. */
  readonly mediaId: string | null
}

type Option = Readonly<Record<string, unknown>> & { readonly id: number; readonly title: string }

const activeRowsOf = (value: unknown): ChildRow[] =>
  rowsOf(value).filter(({ _status, active }) => _status !== 'deleted' && active !== false)
const optionOf = (value: unknown): Option | null =>
  typeof value === 'object' && value !== null && 'id' in value ? (value as Option) : null
const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : null

/** Computes the advertiser link of each country: the country's own domain or the default one, and the landing of that country or of all. */
export function targetsOf(values: FormRow): Target[] {
  const landings = activeRowsOf(values.default_landings)
  const landingFor = (country: number | null) =>
    landings.find((row) => (optionOf(row.country)?.id ?? null) === country)?.landing
  return activeRowsOf(values.countries).flatMap((row) => {
    const country = optionOf(row.country)
    const domain = textOf(row.domain) ?? textOf(values.default_domain)
    if (country === null || domain === null) return []
    const landing = optionOf(landingFor(country.id) ?? landingFor(null))
    return [
      {
        key: row._key,
        country: country.title,
        url: buildAdvertiserTemplate({ domain, landing: textOf(landing?.value) }),
        hasOwnDomain: textOf(row.domain) !== null,
        mediaId: textOf(row.media_id) ?? textOf(values.media_id),
      },
    ]
  })
}

export const ADVERTISER_FORM: FormSlots = { below: { countries: TargetPreview, landings: TargetPreview } }

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
