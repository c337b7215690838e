// English words of the first steps of an installation.
import type { StartStep } from '@tributary/contract/calls/start-steps'

export const startEn = {
  title: 'First steps',
  count: '{{done}} of {{all}} done',
  hide: 'Hide',
  go: 'Open',
  done: 'Done',
  open: 'To do',
  needs: 'Do first:',
  steps: {
    advertiser: { title: 'Add an advertiser', text: 'Who pays for players: a domain, and a country with a media ID' },
    offer: { title: 'Add an offer', text: 'What the advertiser pays for; approve it' },
    partner: { title: 'Add a partner', text: 'Who sends visitors; add a stream and approve the partner' },
    offer_partner: {
      title: 'Create a partner offer',
      text: 'Connects the stream to the offer and gives you the tracking link',
    },
    click: { title: 'Test a click', text: 'Open the partner offer’s tracking link once' },
  } satisfies Record<StartStep, { title: string; text: string }>,
} as const
