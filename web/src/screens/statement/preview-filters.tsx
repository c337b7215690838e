// The further filters of a preview: whole partner offers by advertiser, group, model, country of the offer, traffic source, stream and site.
import { TagsInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { lookupLoader } from '../../data/lookup.ts'
import { useLabels, useReportWords } from '../../i18n/labels.ts'
import { entityOf, rememberOptions, useOptions } from '../../reports/filter/filter-options.ts'
import { LookupMultiSelect } from '../../ui/lookup/lookup-multi-select.tsx'
import classes from './statement.module.css'

export const ID_FILTERS = [
  'advertisers',
  'partnerGroups',
  'paymentModels',
  'geoCountry',
  'trafficSources',
  'streams',
] as const
export type IdFilter = (typeof ID_FILTERS)[number]

/** As the API takes them; filters without values are absent. */
export type PreviewFilter = { readonly [F in IdFilter]?: readonly number[] } & { readonly siteId?: readonly string[] }

const isId = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0

/** Of the address, where single values may stand without a list. */
export function readPreviewFilter(search: Readonly<Record<string, unknown>>): PreviewFilter {
  const listed = (name: string): unknown[] => {
    const value = search[name]
    return value === undefined ? [] : [value].flat()
  }
  const sites = listed('siteId').map(String)
  return {
    ...Object.fromEntries(
      ID_FILTERS.flatMap((name) => {
        const ids = listed(name).map(Number).filter(isId)
        return ids.length === 0 ? [] : [[name, ids]]
      }),
    ),
    ...(sites.length > 0 && { siteId: sites }),
  }
}

interface PreviewFiltersProps {
  readonly filter: PreviewFilter
  readonly onChange: (filter: PreviewFilter) => void
}

export function PreviewFilters({ filter, onChange }: PreviewFiltersProps) {
  const { t } = useTranslation()
  const words = useReportWords()
  const count = Object.keys(filter).length
  const set = (name: keyof PreviewFilter, values: readonly (number | string)[]) => {
    const { [name]: _, ...others } = filter
    onChange(values.length === 0 ? others : { ...others, [name]: values })
  }
  return (
    <details className={classes.filters} open={count > 0}>
      <summary>{count === 0 ? t(($) => $.actions.filters) : `${t(($) => $.actions.filters)} · ${count}`}</summary>
      {ID_FILTERS.map((name) => (
        <IdsField key={name} name={name} ids={filter[name] ?? []} onChange={(ids) => set(name, ids)} />
      ))}
      <TagsInput
        label={words.filters.siteId}
        value={[...(filter.siteId ?? [])]}
        onChange={(sites) => set('siteId', sites)}
      />
    </details>
  )
}

interface IdsFieldProps {
  readonly name: IdFilter
  readonly ids: readonly number[]
  readonly onChange: (ids: number[]) => void
}

function IdsField({ name, ids, onChange }: IdsFieldProps) {
  const words = useReportWords()
  const labels = useLabels()
  const values = useOptions(name, ids, '')
  const entity = entityOf(name)
  if (entity === null) return null
  return (
    <LookupMultiSelect
      // Invoices know the country of the offer, not the one of the player.
      label={name === 'geoCountry' ? labels.field('payment_invoice', 'country') : words.filters[name]}
      values={values}
      load={lookupLoader(entity)}
      onChange={(chosen) => {
        rememberOptions(entity, chosen)
        onChange(chosen.map(({ id }) => Number(id)))
      }}
    />
  )
}
