// A stream is tied to a traffic source: choosing the stream of a new partner offer fills in its source.
import { useQuery } from '@tanstack/react-query'
import { ENTITIES } from '@tributary/contract/entities/registry'
import { useEffect, useRef } from 'react'
import { useFormContext } from 'react-hook-form'
import { http } from '../../data/http.ts'
import { useCan } from '../../data/profile.ts'
import { keys } from '../../data/query-client.ts'
import { idOf } from '../../entities/field/reference-id.ts'

interface Reference {
  readonly id: number
}

/** Whether the source of a newly chosen stream replaces the present one: what the user has chosen stays. */
export const takesSource = (present: unknown, filled: number | null): boolean =>
  idOf(present) === null || idOf(present) === filled

/** Fills in the traffic source of the chosen stream; `stream` is null for a stored partner offer. */
export function useStreamSource(stream: number | null): void {
  const { getValues, setValue } = useFormContext()
  const filled = useRef<number | null>(null)
  const can = useCan()
  const { data } = useQuery({
    queryKey: keys.row('partner_stream', stream ?? 0),
    queryFn: ({ signal }) => http.get<{ traffic_source: Reference | null }>(`partner_stream/${stream}`, { signal }),
    enabled: stream !== null && can(ENTITIES.partner_stream.access.view),
  })
  const source = stream === null ? null : (data?.traffic_source ?? null)
  // The form is a store outside React.
  useEffect(() => {
    if (source === null || !takesSource(getValues('traffic_source'), filled.current)) return
    filled.current = source.id
    setValue('traffic_source', source, { shouldDirty: true, shouldValidate: true })
  }, [source, getValues, setValue])
}
