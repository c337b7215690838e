// The panel of all filters by family, and of metric filters. Each change applies immediately.

import { ActionIcon, Button, NativeSelect, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import type { ReportFilterName } from '@tributary/contract/reports/choices'
import type { MetricKey } from '@tributary/contract/reports/general'
import { type DimensionFamily, splitKey } from '@tributary/contract/reports/traffic'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { holderOf, useProfile } from '../../data/profile.ts'
import { useReportWords } from '../../i18n/labels.ts'
import { metricsFor } from '../table/report-columns.ts'
import { FilterField } from './filter-field.tsx'
import { isOffered } from './filter-options.ts'
import classes from './filter-panel.module.css'
import {
  COMPARISON_SIGNS,
  COMPARISONS,
  type Comparison,
  type FilterControl,
  isMetricKey,
  type Narrowing,
  withoutFilter,
} from './filter-state.ts'

/** Metric filters: metric, comparison, number. A filter applies when it is added. */
function MetricFilters({ control }: { control: FilterControl }) {
  const { t } = useTranslation('reports')
  const { t: common } = useTranslation()
  const words = useReportWords()
  const { state, change } = control
  const conditions = state.conditions ?? []
  const [metric, setMetric] = useState<MetricKey>('nd')
  const [comparison, setComparison] = useState<Comparison>('gt')
  const [text, setText] = useState('')
  const labelOf = (key: MetricKey) => {
    const { metric: name, isSecond } = splitKey(key)
    return isSecond ? t(($) => $.filterPanel.second, { metric: words.metrics[name] }) : words.metrics[name]
  }
  const keys = metricsFor(useProfile().role.kind).flatMap((name): MetricKey[] =>
    state.second === undefined || state.second === 'off' ? [name] : [name, `${name}_2`],
  )
  const value = Number(text.replace(',', '.'))
  const isNumber = text.trim() !== '' && Number.isFinite(value)
  const add = (event: FormEvent) => {
    event.preventDefault()
    if (!isNumber) return
    const others = conditions.filter((old) => old.metric !== metric || old.comparison !== comparison)
    change({ conditions: [...others, { metric, comparison, value }] })
    setText('')
  }
  return (
    <div className={classes.field}>
      <p className={classes.hint}>{words.filterPanel.numbersHint}</p>
      {conditions.map((condition) => (
        <div key={`${condition.metric} ${condition.comparison}`} className={classes.condition}>
          <span>
            {labelOf(condition.metric)} {COMPARISON_SIGNS[condition.comparison]} {condition.value}
          </span>
          <ActionIcon
            size={24}
            aria-label={`${common(($) => $.actions.remove)}: ${labelOf(condition.metric)}`}
            onClick={() => change({ conditions: conditions.filter((other) => other !== condition) })}
          >
            <IconX size={13} aria-hidden />
          </ActionIcon>
        </div>
      ))}
      <form className={classes.addCondition} onSubmit={add}>
        <NativeSelect
          aria-label={words.filterPanel.metric}
          className={classes.metric}
          value={metric}
          data={keys.map((key) => ({ value: key, label: labelOf(key) }))}
          onChange={(event) => {
            if (isMetricKey(event.currentTarget.value)) setMetric(event.currentTarget.value)
          }}
        />
        <NativeSelect
          aria-label={words.filterPanel.comparison}
          value={comparison}
          data={COMPARISONS.map((name) => ({ value: name, label: COMPARISON_SIGNS[name] }))}
          onChange={(event) =>
            setComparison(COMPARISONS.find((name) => name === event.currentTarget.value) ?? comparison)
          }
        />
        <TextInput
          aria-label={words.filterPanel.value}
          inputMode="decimal"
          placeholder="0"
          value={text}
          error={text !== '' && !isNumber}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button
          type="submit"
          variant="default"
          className={classes.add}
          disabled={!isNumber}
          leftSection={<IconPlus size={14} aria-hidden />}
        >
          {words.filterPanel.addCondition}
        </Button>
      </form>
    </div>
  )
}

/** A filter without a family does not compile. */
const FAMILY_OF: Readonly<Record<ReportFilterName, Exclude<DimensionFamily, 'date'>>> = {
  offers: 'offer',
  advertisers: 'offer',
  products: 'offer',
  paymentModels: 'offer',
  offerTags: 'offer',
  partners: 'partner',
  partnerGroups: 'partner',
  managers: 'partner',
  partnerTags: 'partner',
  streams: 'partner',
  affiliateId: 'partner',
  countries: 'place',
  geoCountry: 'place',
  trafficSources: 'traffic',
  landings: 'traffic',
  siteId: 'traffic',
  subId: 'traffic',
  promocode: 'traffic',
  mediaId: 'traffic',
  clickId: 'traffic',
  playerOuterId: 'player',
  firstDeposit: 'player',
}
const NAMES = Object.keys(FAMILY_OF) as ReportFilterName[]
const FAMILIES = [...new Set(Object.values(FAMILY_OF))]

export function FilterPanel({ control }: { control: FilterControl }) {
  const words = useReportWords()
  const holder = holderOf(useProfile())
  const { state, change } = control
  const set = (name: ReportFilterName, narrowing: Narrowing | null) =>
    change({
      filters: narrowing === null ? withoutFilter(state.filters, name) : { ...state.filters, [name]: narrowing },
    })
  return (
    <>
      {FAMILIES.map((family) => (
        <section key={family} className={classes.family}>
          <h2 className={classes.title}>{words.families[family]}</h2>
          {NAMES.filter((name) => FAMILY_OF[name] === family && isOffered(name, holder)).map((name) => (
            <FilterField
              key={name}
              name={name}
              narrowing={state.filters[name] ?? null}
              period={state}
              onChange={(narrowing) => set(name, narrowing)}
            />
          ))}
        </section>
      ))}
      {state.conditions === undefined ? null : (
        <section className={classes.family}>
          <h2 className={classes.title}>{words.filterPanel.numbers}</h2>
          <MetricFilters control={control} />
        </section>
      )}
    </>
  )
}
