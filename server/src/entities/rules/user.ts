// Rules of users and roles: callers grant only permissions that they hold, cannot change their own rights, and cannot disable the last admin. A
// team leader manages only the managers of their groups and the users of their partners.
import { hasPermission, PERMISSIONS, type Permission, type RoleKind } from '@tributary/contract/access'
import { checkPermissions } from '@tributary/contract/permission-tree'
import { sql } from 'kysely'
import { checkNewPassword, endSessionsOf, setPassword } from '../../access/password.ts'
import { AppError } from '../../lib/app-error.ts'
import { type Change, type EntityRules, idOf, isChanging, isCreating } from '../engine/model/entity-rules.ts'
import type { Db, RequestContext } from '../engine/model/request-context.ts'

interface Standing {
  kind: RoleKind
  partner_id: number | null
  permissions: string[] | null
}

export const userRules: EntityRules = {
  async prepare(change) {
    if (isCreating(change)) change.values.enabled ??= true
    const id = change.before?.id ?? null
    if (id !== null && !(await mayManage(change.db, change.context, id))) throw new AppError('forbidden')
    const kind = await findKind(change)
    if (kind !== null) await checkBelonging(change, kind)
    await checkSelf(change)
    await checkLastAdmin(change, kind)
    await preparePassword(change, id)
    if (id !== null && isChanging(change, 'enabled') && change.values.enabled === false)
      await endSessionsOf(change.db, id)
  },
  async afterCreate(change, id) {
    const password = passwords.get(change)
    if (password !== undefined) await setPassword(change.db, id, password)
  },
}

/** Password of a new user, until the user has an id. */
const passwords = new WeakMap<Change, string>()

/** Removes the password from the values, so that no log contains it; it is hashed separately. */
async function preparePassword(change: Change, id: number | null): Promise<void> {
  const { password } = change.values
  Reflect.deleteProperty(change.values, 'password')
  if (typeof password !== 'string') return
  const issues = await checkNewPassword(change.db, id, password)
  for (const { key, values } of issues) change.reject('password', key, values)
  if (issues.length > 0) return
  if (id === null) passwords.set(change, password)
  else {
    await setPassword(change.db, id, password)
    await sql`insert into audit_log (user_id, action, entity, entity_id, cause, request_id)
      values (${change.context.userId}, 'access', 'user', ${id}, 'the password was set', ${change.context.requestId})`.execute(
      change.db,
    )
  }
}

async function findKind(change: Change): Promise<RoleKind | null> {
  const role = idOf(change, 'role')
  if (role === null) return null
  const { rows } = await sql<{ kind: RoleKind }>`select kind from user_role where id = ${role}`.execute(change.db)
  return rows[0]?.kind ?? null
}

async function checkBelonging(change: Change, kind: RoleKind): Promise<void> {
  const partner = idOf(change, 'partner')
  if (kind === 'PARTNER' && partner === null) change.reject('partner', 'partner_needed')
  if (kind !== 'PARTNER' && partner !== null) change.reject('partner', 'partner_not_allowed')
  const groups = change.valueOf('partner_groups')
  if (kind !== 'TEAM_LEADER' && Array.isArray(groups) && groups.length > 0)
    change.reject('partner_groups', 'groups_not_allowed')
  const own = change.valueOf('permissions')
  if (Array.isArray(own) && (isChanging(change, 'permissions') || isChanging(change, 'role'))) {
    change.values.permissions = own
    const before = change.before?.permissions
    checkGrantedPermissions(change, kind, Array.isArray(before) ? before : [])
  }
  if (isNarrow(change.context) && kind !== 'MANAGER' && kind !== 'PARTNER') change.reject('role', 'role_not_allowed')
}

/** Users cannot change their own role, permissions, scope or access. */
async function checkSelf(change: Change): Promise<void> {
  if (change.before?.id !== change.context.userId) return
  for (const field of ['role', 'enabled', 'permissions', 'partner', 'partner_groups'])
    if (Object.hasOwn(change.values, field)) change.reject(field, 'not_yourself')
}

async function checkLastAdmin(change: Change, kind: RoleKind | null): Promise<void> {
  const { before, db } = change
  if (before === null || (kind === 'ADMIN' && change.valueOf('enabled') === true)) return
  const { rows } = await sql<{
    id: number
  }>`select "user".id from "user" join user_role on user_role.id = "user".role_id
    where user_role.kind = 'ADMIN' and "user".enabled order by 1 for update of "user"`.execute(db)
  if (rows.length === 1 && rows[0]?.id === before.id) change.reject(kind === 'ADMIN' ? 'enabled' : 'role', 'last_admin')
}

const isNarrow = ({ holder }: RequestContext): boolean => holder.role !== 'ADMIN'

/** True if the caller may change the visible user `id`. */
export async function mayManage(db: Db, context: RequestContext, id: number): Promise<boolean> {
  if (!isNarrow(context)) return true
  const { rows } = await sql<
    Standing & { is_of_group: boolean }
  >`select user_role.kind, "user".partner_id, "user".permissions,
      exists (select 1 from partner_group_manager as manager
        join partner_partner_group as member on member.id = manager.partner_partner_group_id
        join partner_group_team_leader as leader using (partner_group_id)
        where manager.user_id = "user".id and manager.active and member.active and leader.user_id = ${context.userId}) as is_of_group
    from "user" join user_role on user_role.id = "user".role_id where "user".id = ${id}`.execute(db)
  const [user] = rows
  if (user === undefined) return false
  if (user.kind === 'PARTNER') return user.partner_id !== null && (context.partners?.includes(user.partner_id) ?? true)
  return user.kind === 'MANAGER' && user.is_of_group
}

/** Rejects permissions that the role's kind cannot hold, that lack a needed permission, or that the caller does not hold. */
function checkGrantedPermissions(change: Change, kind: RoleKind, before: readonly unknown[]): void {
  const keys = readKeys(change.values.permissions)
  for (const { key, values } of checkPermissions(kind, keys)) change.reject('permissions', key, values)
  const { holder } = change.context
  const beyond = keys.filter((key) => !before.includes(key) && !hasPermission(holder, key))
  if (beyond.length > 0) change.reject('permissions', 'permission_not_held', { keys: beyond.join(', ') })
}

const readKeys = (value: unknown): Permission[] =>
  Array.isArray(value) ? PERMISSIONS.filter((key) => value.includes(key)) : []

// The cast is correct: the store has validated the choice.
const kindOf = (change: Change) => change.valueOf('kind') as RoleKind | undefined

/** Permissions of a role must fit its kind. Built-in roles cannot be deleted or deactivated. */
export const userRoleRules: EntityRules = {
  async prepare(change) {
    const kind = kindOf(change)
    if (kind === undefined || kind === null) return
    if (kind === 'ADMIN') {
      if (change.action === 'create' || Object.hasOwn(change.values, 'permissions'))
        change.values.permissions = ['FULL_ACCESS']
    } else if (Object.hasOwn(change.values, 'permissions')) checkGrantedPermissions(change, kind, [])
    if (change.before?.built_in === true && change.values.active === false) change.reject('active', 'role_built_in')
  },
  async prepareRemoval(change) {
    if (change.before?.built_in === true) change.reject('title', 'role_built_in')
  },
}
