// Loads the user of a request, for every request, so that a disabled user, an ended session or a changed role takes effect at once.
import { type AccessHolder, PERMISSIONS, type Permission, type RoleKind } from '@tributary/contract/access'
import type { Language } from '@tributary/contract/language'
import { invalidField } from '../lib/app-error.ts'
import type { Postgres } from '../postgres/client.ts'
import { loadScope, type Scope } from './scope.ts'
import type { Claims } from './session-token.ts'

export interface Person extends AccessHolder {
  readonly id: number
  readonly role: RoleKind
  /** The role whose kind is `role`. */
  readonly roleId: number
  /** Effective permissions: the user's own set if there is one, else the role's; an ADMIN has FULL_ACCESS. */
  readonly permissions: readonly Permission[]
  /** The partner that a user of role PARTNER belongs to. */
  readonly partnerId: number | null
  readonly scope: Scope
  /** The user's chosen language; null = that of the request. */
  readonly language: Language | null
  /** Empty for a request with an API key. */
  readonly sessionId: string
  /** Id of the admin who views as this user, read-only; null = the user themself. */
  readonly viewedBy: number | null
}

interface PersonRow {
  role: RoleKind
  role_id: number
  permissions: string[]
  id: number
  viewed_by: number | null
  partner_id: number | null
  language: Language | null
}

const SELECT = `select "user".id, user_role.kind as role, user_role.id as role_id, "user".partner_id, "user".language,
    coalesce("user".permissions, user_role.permissions) as permissions`

/** An admin who views as another user becomes that user while the admin is still an admin and the user is enabled. */
const PERSON = `${SELECT}, case when "user".id <> own.id then own.id end as viewed_by
  from session join "user" as own on own.id = session.user_id join user_role as own_role on own_role.id = own.role_id
  left join "user" as viewed on viewed.id = session.viewing_as and session.viewing_until > now() and viewed.enabled and own_role.kind = 'ADMIN'
  join "user" on "user".id = coalesce(viewed.id, own.id) join user_role on user_role.id = "user".role_id
  where session.id = $1 and session.user_id = $2 and session.ended_at is null and session.expires_at > now() and own.enabled`

const KEY_HOLDER = `${SELECT}, null as viewed_by from api_key join "user" on "user".id = api_key.user_id
  join user_role on user_role.id = "user".role_id
  where api_key.id = $1 and api_key.active and (api_key.expires_at is null or api_key.expires_at > now()) and "user".enabled`

/** Undefined if the session has ended or its user is disabled. `groupFilter` is the `group-filter` header, ignored unless the user is an admin. */
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
  return rows[0] === undefined ? undefined : describePerson(postgres, rows[0], claims.sessionId, groupFilter)
}

/** The owner of an API key, with their current permissions; undefined if the key or its owner is disabled. */
export async function loadKeyHolder(
  postgres: Postgres,
  keyId: number,
  groupFilter?: string,
): Promise<Person | undefined> {
  const { rows } = await postgres.pool.query<PersonRow>({ name: 'key-holder', text: KEY_HOLDER, values: [keyId] })
  return rows[0] === undefined ? undefined : describePerson(postgres, rows[0], '', groupFilter)
}

async function describePerson(
  postgres: Postgres,
  row: PersonRow,
  sessionId: string,
  groupFilter: string | undefined,
): Promise<Person> {
  const holder = { id: row.id, role: row.role, partnerId: row.partner_id }
  return {
    ...holder,
    roleId: row.role_id,
    permissions: effectivePermissions(row),
    scope: await loadScope(postgres, holder, row.role === 'ADMIN' ? readGroupFilter(groupFilter) : null),
    language: row.language,
    sessionId,
    viewedBy: row.viewed_by,
  }
}

/** Empty and zero mean no filter. Anything but an id is rejected: ignoring it would show more rows. */
function readGroupFilter(text = ''): number | null {
  if (!/^\d{0,9}$/.test(text.trim())) throw invalidField('group-filter', 'value_invalid')
  return Number(text) === 0 ? null : Number(text)
}

/** The effective permissions, without keys that this version does not know. */
export function effectivePermissions({ role, permissions }: Pick<PersonRow, 'role' | 'permissions'>): Permission[] {
  if (role === 'ADMIN')
    return ['FULL_ACCESS', ...PERMISSIONS.filter((key) => key !== 'FULL_ACCESS' && permissions.includes(key))]
  return PERMISSIONS.filter((key) => permissions.includes(key))
}
