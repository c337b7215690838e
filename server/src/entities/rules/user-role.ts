// Roles: permissions must be offered for the role's kind, with their dependencies. Built-in roles cannot be deleted or deactivated.
import type { RoleKind } from '@tributary/contract/access'
import type { Change, EntityRules } from '../engine/model/entity-rules.ts'
import { checkGiven } from './permission-check.ts'

// The field's kind was checked before.
const kindOf = (change: Change) => change.valueOf('kind') as RoleKind | undefined

export const userRoleRules: EntityRules = {
  async prepare(change) {
    const kind = kindOf(change)
    if (kind === undefined || kind === null) return
    if (kind === 'ADMIN') {
      if (change.action === 'create' || Object.hasOwn(change.values, 'permissions'))
        change.values.permissions = ['FULL_ACCESS']
    } else if (Object.hasOwn(change.values, 'permissions')) checkGiven(change, kind, [])
    if (change.before?.built_in === true && change.values.active === false) change.refuse('active', 'role_built_in')
  },
  async prepareRemoval(change) {
    if (change.before?.built_in === true) change.refuse('title', 'role_built_in')
  },
}
