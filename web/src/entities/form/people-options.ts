// Whom a field of a form offers for a job: people with its role who may sign in.
import type { RoleKind } from '@tributary/contract/access'
import type { FieldParts } from './form-parts.ts'

const enabledOf = (kind: RoleKind): FieldParts => ({
  conditions: [
    { path: 'role.kind', operator: 'eq', values: [kind] },
    { path: 'enabled', operator: 'eq', values: ['1'] },
  ],
})

export const MANAGERS = enabledOf('MANAGER')
export const LEADERS = enabledOf('TEAM_LEADER')
