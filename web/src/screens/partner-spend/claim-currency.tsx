// A new claim begins with the currency of the stream's latest spend. Without one it is left empty, and the server takes the report currency.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { http } from '../../data/http.ts'
import { keys } from '../../data/query-client.ts'
import type { FormRow } from '../../entities/form/form-row.ts'
import type { SectionProps } from '../../entities/form/form-slots.ts'
import { isOfClaimant } from './is-claimant.ts'

interface Latest {
  readonly items: readonly {
    readonly currency: { id: number } | null
    readonly claim_currency: { id: number } | null
  }[]
}

/** What the partner claims in now goes before what was accepted. */
export const currencyOfLatest = ({ items: [latest] }: Latest) => latest?.claim_currency ?? latest?.currency ?? null

export function ClaimCurrency({ row }: SectionProps) {
  return row === null && isOfClaimant() ? <LatestCurrency /> : null
}

function LatestCurrency() {
  const { getValues, setValue } = useFormContext<FormRow>()
  const stream = (useWatch<FormRow>({ name: 'stream' }) as { id: number } | null)?.id
  const filter = stream === undefined ? '' : `&filter[stream]=${stream}`
  const { data } = useQuery({
    queryKey: keys.list('partner_spend', `latest${filter}`),
    queryFn: ({ signal }) => http.get<Latest>(`partner_spend?limit=1&order[date]=DESC${filter}`, { signal }),
  })
  const filled = useRef<unknown>(null)
  useEffect(() => {
    const currency = data === undefined ? null : currencyOfLatest(data)
    // What the user has chosen stays.
    if (currency === null || getValues('currency') !== filled.current) return
    filled.current = currency
    setValue('currency', currency, { shouldValidate: true })
  }, [data, getValues, setValue])
  return null
}
