export const partnerStream = {
  title: 'Streams',
  one: 'stream',
  subtitle: 'Channels of the partner’s traffic',
  create: 'Add stream',
  fields: { partner: 'Partner', title: 'Title', traffic_source: 'Traffic source' },
} as const
