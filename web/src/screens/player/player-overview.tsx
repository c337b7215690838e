// The overview of a player: where they came from, their qualification and history, and what they brought.

import { useTranslation } from 'react-i18next'
import type { SectionProps } from '../../entities/form/form-slots.ts'
import { useLabels } from '../../i18n/labels.ts'
import { Leads, useLeadTo } from '../../reports/overview/leads.tsx'
import { type OverviewSlots, only, referenceIn, refersTo } from '../../reports/overview/overview-slots.ts'
import { PlayerStory } from './player-story.tsx'

function Origin({ row }: SectionProps) {
  const { t } = useTranslation()
  const labels = useLabels()
  const leadTo = useLeadTo('player', row)
  if (row === null) return null
  const records = (['partner', 'offer', 'offer_partner', 'advertiser'] as const).map(leadTo)
  const click = typeof row.click_id === 'string' ? row.click_id : null
  const id = click ?? String(row.outer_id)
  return (
    <Leads
      label={t(($) => $.overview.leads)}
      leads={[
        ...records,
        click === null
          ? null
          : { label: labels.field('player', 'click_id'), title: click, to: '/clicks', search: { 'filter[id]': click } },
        { label: t(($) => $.overview.trace), title: id, to: '/trace', search: { id } },
      ]}
    />
  )
}

export const PLAYER_OVERVIEW: OverviewSlots = {
  // An advertiser names each player once.
  filters: (row) => {
    const advertiser = referenceIn(row, 'advertiser')
    return { playerOuterId: only(String(row.outer_id)), ...(advertiser && { advertisers: only(advertiser.id) }) }
  },
  metrics: ['deposits', 'deposits_amount', 'bets', 'income', 's', 'profit'],
  relations: [
    { entity: 'player_report', conditions: refersTo('player') },
    {
      entity: 'postback',
      conditions: (row) => [{ path: 'player_outer_id', operator: 'eq', values: [String(row.outer_id)] }],
      isLog: true,
    },
  ],
  Top: Origin,
  Below: PlayerStory,
}
