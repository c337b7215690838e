// Proposes the site ID of a new partner offer, so that nobody has to invent one.
import { useEffect, useRef } from 'react'
import { useFormContext } from 'react-hook-form'

/** Both are null for a stored partner offer. A stream has one partner offer of an offer, so that the proposal is new. What the user types stays. */
export function useProposedSiteId(offer: number | null, stream: number | null): void {
  const { getValues, setValue } = useFormContext()
  const proposed = useRef('')
  // The form is a store outside React.
  useEffect(() => {
    if (offer === null || stream === null) return
    const present: unknown = getValues('site_id')
    if (present !== undefined && present !== null && present !== '' && present !== proposed.current) return
    proposed.current = `${offer}-${stream}`
    setValue('site_id', proposed.current, { shouldDirty: true, shouldValidate: true })
  }, [offer, stream, getValues, setValue])
}
