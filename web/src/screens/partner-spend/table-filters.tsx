// Chooses the partner and the month of the spend table.
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { fetchOptions, type LookupOption, lookupLoader } from '../../data/lookup.ts'
import { keys } from '../../data/query-client.ts'
import { MonthStepper } from '../../ui/date/month-stepper.tsx'
import { LookupSelect } from '../../ui/lookup/lookup-select.tsx'
import classes from './spend-grid.module.css'
import type { SpendTableState } from './spend-table-state.ts'

const loadPartners = lookupLoader('partner')
const loadGroups = lookupLoader('partner_group')

function useChosen(entity: 'partner' | 'partner_group', id: number | null): LookupOption | null {
  const { data } = useQuery({
    queryKey: keys.lookup(entity, `spend table ${id}`),
    queryFn: ({ signal }) => fetchOptions(entity, id === null ? [] : [id], signal),
  })
  return id === null ? null : (data?.find((option) => option.id === id) ?? null)
}

export function TableFilters({
  state,
  onChange,
  children,
}: {
  state: SpendTableState
  children: ReactNode
  onChange: (edit: Partial<SpendTableState>) => void
}) {
  const { t } = useTranslation()
  const { partner, group, month } = state
  const option = useChosen('partner', partner)
  const groupOption = useChosen('partner_group', group)
  return (
    <div className={classes.bar}>
      <div className={classes.partner}>
        <LookupSelect
          ariaLabel={t(($) => $.spends.table.partner)}
          placeholder={t(($) => $.spends.table.partner)}
          load={loadPartners}
          value={option}
          onChange={(value) => onChange({ partner: value === null ? null : Number(value.id) })}
        />
      </div>
      {partner !== null || group === null ? null : (
        <div className={classes.partner}>
          <LookupSelect
            ariaLabel={t(($) => $.finance.closes.group)}
            load={loadGroups}
            value={groupOption}
            onChange={(value) => onChange({ group: value === null ? null : Number(value.id) })}
          />
        </div>
      )}
      <MonthStepper month={month} onChange={(next) => onChange({ month: next })} />
      <span className={classes.spring} />
      {children}
    </div>
  )
}
