// Every filter of the report, by what it speaks of, and the conditions on numbers. Each change is in force at once.
import type { RoleKind } from '@tributary/contract/access'
import type { ReportFilterName } from '@tributary/contract/reports/choices'
import type { DimensionFamily } from '@tributary/contract/reports/traffic'
import { holderOf, useProfile } from '../../data/profile.ts'
import { useReportWords } from '../../i18n/labels.ts'
import { type FilterControl, withoutFilter } from './filter-control.ts'
import { isOffered } from './filter-entity.ts'
import { FilterField } from './filter-field.tsx'
import classes from './filter-panel.module.css'
import { MetricConditions } from './metric-conditions.tsx'
import type { Narrowing } from './narrowing.ts'

/** Every filter has a family, or this does not compile. */
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

export function FilterPanel({ control, role }: { control: FilterControl; role: RoleKind }) {
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
          <MetricConditions control={control} role={role} />
        </section>
      )}
    </>
  )
}
