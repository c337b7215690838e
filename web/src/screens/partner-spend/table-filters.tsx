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
  const { partner, month } = state
  const chosen = useQuery({
    queryKey: keys.lookup('partner', `spend table ${partner}`),
    queryFn: ({ signal }) => fetchOptions('partner', partner === null ? [] : [partner], signal),
  })
  const option: LookupOption | null = partner === null ? null : (chosen.data?.find(({ id }) => id === partner) ?? null)
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
      <MonthStepper month={month} onChange={(next) => onChange({ month: next })} />
      <span className={classes.spring} />
      {children}
    </div>
  )
}
