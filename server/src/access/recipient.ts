// Loads a user to whom a report is mailed, with permissions and scope at the time of sending.
import type { AccessHolder, Permission, RoleKind } from '@tributary/contract/access'
import type { Language } from '@tributary/contract/language'
import type { Postgres } from '../postgres/client.ts'
import { effectivePermissions } from './person.ts'
import { loadScope, type Scope } from './scope.ts'

export interface Recipient extends AccessHolder {
  readonly id: number
  readonly email: string
  readonly role: RoleKind
  readonly permissions: readonly Permission[]
  readonly language: Language
  readonly scope: Scope
}

interface Row {
  email: string
  role: RoleKind
  permissions: string[]
  partner_id: number | null
  language: Language | null
}

/** Undefined if the user is missing or disabled. */
export async function loadRecipient(postgres: Postgres, id: number): Promise<Recipient | undefined> {
  const { rows } = await postgres.pool.query<Row>(
    `select "user".email, user_role.kind as role, coalesce("user".permissions, user_role.permissions) as permissions,
        "user".partner_id, "user".language
      from "user" join user_role on user_role.id = "user".role_id where "user".id = $1 and "user".enabled`,
    [id],
  )
  const row = rows[0]
  if (row === undefined) return undefined
  return {
    id,
    email: row.email,
    role: row.role,
    permissions: effectivePermissions(row),
    language: row.language ?? 'en',
    scope: await loadScope(postgres, { id, role: row.role, partnerId: row.partner_id }),
  }
}
