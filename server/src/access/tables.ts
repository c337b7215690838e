// Kysely types of this folder's tables: users, roles, sessions, keys and links.
import type { Permission, RoleKind } from '@tributary/contract/access'
import type { Language } from '@tributary/contract/language'
import type { Generated } from 'kysely'

interface UserTable {
  id: Generated<number>
  full_name: string
  email: string
  enabled: Generated<boolean>
  role_id: number
  partner_id: number | null
  /** Overrides the role's permissions if not null. */
  permissions: Permission[] | null
  language: Language | null
  password_hash: string | null
  /** Encrypted. Unconfirmed while `totp_last_step` is null. */
  totp_secret: Buffer | null
  /** The 30-second step of the last accepted code; null = the second factor is not confirmed. */
  totp_last_step: number | null
}

interface UserRoleTable {
  id: Generated<number>
  title: string
  kind: RoleKind
  permissions: Generated<Permission[]>
  built_in: Generated<boolean>
}

interface SessionTable {
  id: Generated<string>
  user_id: number
  refresh_hash: Buffer
  previous_hash: Buffer | null
  rotated_at: Date | null
  user_agent: string | null
  ip: string | null
  created_at: Generated<Date>
  last_used_at: Generated<Date>
  expires_at: Date
  ended_at: Date | null
  /** The user whom an admin views as, and until when. */
  viewing_as: number | null
  viewing_until: Date | null
}

interface PasswordHistoryTable {
  id: Generated<number>
  user_id: number
  hash: string
}

interface AccountLinkTable {
  hash: Buffer
  user_id: number
  purpose: 'restore' | 'invitation'
  created_at: Generated<Date>
  expires_at: Date
  used_at: Date | null
}

interface RecoveryCodeTable {
  user_id: number
  hash: Buffer
  used_at: Date | null
}

interface ApiKeyTable {
  id: Generated<number>
  user_id: number
  title: string
  prefix: string
  hash: Buffer
  last_used_at: Date | null
  expires_at: Date | null
  active: Generated<boolean>
}

declare module '../postgres/client.ts' {
  interface Database {
    user: UserTable
    user_role: UserRoleTable
    session: SessionTable
    password_history: PasswordHistoryTable
    account_link: AccountLinkTable
    recovery_code: RecoveryCodeTable
    api_key: ApiKeyTable
  }
}
