// Checks permissions to be granted: offered for the role's kind, dependencies included, and held by the caller.
import { hasPermission, PERMISSIONS, type Permission, type RoleKind } from '@tributary/contract/access'
import { checkPermissions } from '@tributary/contract/permission-tree'
import type { Change } from '../engine/model/entity-rules.ts'

export function checkGiven(change: Change, kind: RoleKind, before: readonly unknown[]): void {
  const keys = readKeys(change.values.permissions)
  for (const { key, values } of checkPermissions(kind, keys)) change.refuse('permissions', key, values)
  const { holder } = change.context
  const beyond = keys.filter((key) => !before.includes(key) && !hasPermission(holder, key))
  if (beyond.length > 0) change.refuse('permissions', 'permission_not_held', { keys: beyond.join(', ') })
}

const readKeys = (value: unknown): Permission[] =>
  Array.isArray(value) ? PERMISSIONS.filter((key) => value.includes(key)) : []
