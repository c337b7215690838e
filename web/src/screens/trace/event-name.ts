// What people call an event: the usual ones have words, an advertiser's own stays as it is.
import { TOLD_EVENTS } from '@tributary/contract/entities/partner-postback-url'
import { useLabels } from '../../i18n/labels.ts'

export function useEventName(): (event: string) => string {
  const labels = useLabels()
  return (event) =>
    (TOLD_EVENTS as readonly string[]).includes(event) ? labels.choice('partner_postback_url', 'events', event) : event
}
