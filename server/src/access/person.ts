// Who is asking, read afresh for every request: a disabled user, an ended session, a changed role or group count at once.
import { type Holder, PERMISSIONS, type Permission, type RoleKind } from '@tributary/contract/access'
import type { Language } from '@tributary/contract/entities/user'
import { invalidField } from '../lib/app-error.ts'
import type { Postgres } from '../postgres/client.ts'
import { loadScope, type Scope } from './scope.ts'
import type { Claims } from './session-token.ts'

export interface Person extends Holder {
  readonly id: number
  readonly role: RoleKind
  /** The template, of that kind. */
  readonly roleId: number
  /** In force: the person's own set if there is one, else the role's template; an ADMIN has FULL_ACCESS. */
  readonly permissions: readonly Permission[]
  /** The partner that a user of role PARTNER belongs to. */
  readonly partnerId: number | null
  readonly scope: Scope
  /** What the person chose to be written to in; null = the request's own language. */
  readonly language: Language | null
  readonly sessionId: string
}

interface PersonRow {
  role: RoleKind
  role_id: number
  permissions: string[]
  partner_id: number | null
  language: Language | null
}

const PERSON = `select user_role.kind as role, user_role.id as role_id, coalesce("user".permissions, user_role.permissions) as permissions,
    "user".partner_id, "user".language
  from session join "user" on "user".id = session.user_id join user_role on user_role.id = "user".role_id
  where session.id = $1 and session.user_id = $2 and session.ended_at is null and session.expires_at > now() and "user".enabled`

/** Undefined when the session has ended or its user was disabled. `groupFilter` is the header of that name: an admin's, ignored for others. */
export async function loadPerson(
  postgres: Postgres,
  claims: Pick<Claims, 'userId' | 'sessionId'>,
  groupFilter?: string,
): Promise<Person | undefined> {
  const { rows } = await postgres.pool.query<PersonRow>({
    name: 'person',
    text: PERSON,
    values: [claims.sessionId, claims.userId],
  })
  const row = rows[0]
  if (row === undefined) return undefined
  const holder = { id: claims.userId, role: row.role, partnerId: row.partner_id }
  return {
    ...holder,
    roleId: row.role_id,
    permissions: effectivePermissions(row),
    scope: await loadScope(postgres, holder, row.role === 'ADMIN' ? readGroupFilter(groupFilter) : null),
    language: row.language,
    sessionId: claims.sessionId,
  }
}

/** Empty and zero mean no filter; what is not an id is refused rather than ignored, for ignoring it would show more. */
function readGroupFilter(text = ''): number | null {
  if (!/^\d{0,9}$/.test(text.trim())) throw invalidField('group-filter', 'value_invalid')
  return Number(text) === 0 ? null : Number(text)
}

/** Keys that this version does not know are dropped: they open nothing. */
export function effectivePermissions({ role, permissions }: Pick<PersonRow, 'role' | 'permissions'>): Permission[] {
  if (role === 'ADMIN')
    return ['FULL_ACCESS', ...PERMISSIONS.filter((key) => key !== 'FULL_ACCESS' && permissions.includes(key))]
  return PERMISSIONS.filter((key) => permissions.includes(key))
}
