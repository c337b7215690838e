export const auditLog = {
  title: 'Audit log',
  one: 'change',
  subtitle: 'Who changed what, when, and what it was before',
  create: 'New change',
  fields: {
    at: 'When',
    user: 'Who',
    action: 'Action',
    entity: 'Kind of record',
    entity_id: 'Record',
    cause: 'Cause',
    request_id: 'Request',
    before: 'Before',
    after: 'After',
  },
  choices: { action: { create: 'Created', update: 'Changed', delete: 'Deleted', access: 'Access' } },
} as const
