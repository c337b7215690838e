// Filters of the budget plan: month, groups, partners, search text.
import { Switch } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { lookupLoader } from '../../data/lookup.ts'
import { PausedInput } from '../../entities/filter/paused-input.tsx'
import { rememberOptions, useOptions } from '../../reports/filter/filter-options.ts'
import { MonthStepper } from '../../ui/date/month-stepper.tsx'
import { LookupMultiSelect } from '../../ui/lookup/lookup-multi-select.tsx'
import classes from './budget.module.css'
import type { BudgetState } from './budget-state.ts'

interface BudgetFiltersProps {
  state: BudgetState
  onChange: (edit: Partial<BudgetState>) => void
}

export function BudgetFilters({ state, onChange }: BudgetFiltersProps) {
  const { t } = useTranslation()
  return (
    <div className={classes.filters}>
      <MonthStepper month={state.month} onChange={(month) => onChange({ month })} />
      <PausedInput
        className={classes.search ?? ''}
        aria-label={t(($) => $.budget.search)}
        placeholder={t(($) => $.budget.search)}
        leftSection={<IconSearch size={15} aria-hidden />}
        value={state.query}
        onCommit={(query) => onChange({ query })}
      />
      <People
        name="partnerGroups"
        label={t(($) => $.budget.groups)}
        ids={state.groups}
        onChange={(groups) => onChange({ groups })}
      />
      <People
        name="partners"
        label={t(($) => $.budget.partners)}
        ids={state.partners}
        onChange={(partners) => onChange({ partners })}
      />
      <Switch
        label={t(($) => $.budget.allCountries)}
        checked={state.showsAll}
        onChange={(event) => onChange({ showsAll: event.currentTarget.checked })}
      />
    </div>
  )
}

const ENTITY = { partnerGroups: 'partner_group', partners: 'partner' } as const

interface PeopleProps {
  name: keyof typeof ENTITY
  label: string
  ids: readonly number[]
  onChange: (ids: number[]) => void
}

function People({ name, label, ids, onChange }: PeopleProps) {
  const values = useOptions(name, ids, '')
  return (
    <div className={classes.people}>
      <LookupMultiSelect
        ariaLabel={label}
        placeholder={label}
        values={values}
        load={lookupLoader(ENTITY[name])}
        onChange={(chosen) => {
          rememberOptions(ENTITY[name], chosen)
          onChange(chosen.map(({ id }) => Number(id)))
        }}
      />
    </div>
  )
}
