// Where an advertiser's visitors go in each country: its own domain or the default one, and the landing for that country or for all. Pure.
import { buildAdvertiserTemplate } from '@tributary/contract/macros'
import type { ChildRow, FormRow } from '../../entities/form/form-row.ts'

export interface Target {
  readonly key: string
  readonly country: string
  readonly url: string
  readonly hasOwnDomain: boolean
  /** Of the country, or else the advertiser's. */
  readonly mediaId: string | null
}

type Option = Readonly<Record<string, unknown>> & { readonly id: number; readonly title: string }

const rowsOf = (value: unknown): ChildRow[] =>
  (Array.isArray(value) ? (value as ChildRow[]) : []).filter(
    ({ _status, active }) => _status !== 'deleted' && active !== false,
  )
const optionOf = (value: unknown): Option | null =>
  typeof value === 'object' && value !== null && 'id' in value ? (value as Option) : null
const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : null

export function targetsOf(values: FormRow): Target[] {
  const landings = rowsOf(values.default_landings)
  const landingFor = (country: number | null) =>
    landings.find((row) => (optionOf(row.country)?.id ?? null) === country)?.landing
  return rowsOf(values.countries).flatMap((row) => {
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
