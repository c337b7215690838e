export const apiKey = {
  title: 'API keys',
  one: 'API key',
  subtitle: 'With a key, a program calls the API in your name',
  create: 'New key',
  fields: {
    title: 'Title',
    user: 'Owner',
    prefix: 'Begins with',
    last_used_at: 'Last used',
    expires_at: 'Valid until',
  },
} as const
