// Handlers that read the caller's profile, sign in, refresh a session and sign out.

import type { RoleKind } from '@tributary/contract/access'
import { NO_PREFERENCES, type Preferences, preferences } from '@tributary/contract/calls/profile'
import type { Calls } from '@tributary/contract/calls/registry'
import { authService } from '../access/auth-service.ts'
import { logIn } from '../access/login.ts'
import type { Person } from '../access/person.ts'
import { endSessionOf, refreshSession } from '../access/session.ts'
import { CLICKS_KEPT_FROM_SQL } from '../facts/clicks/deleted-clicks.ts'
import { AppError } from '../lib/app-error.ts'
import type { Postgres } from '../postgres/client.ts'
import type { Handler } from './handler.ts'

interface Named {
  id: number
  title: string
}

interface ProfileRow {
  full_name: string
  email: string
  role: Named & { kind: RoleKind }
  partner: Named | null
  business_time_zone: string
  clicks_kept_from: string | null
  viewed_by: { id: number; full_name: string } | null
  sending_held: boolean
  preferences: Partial<Record<keyof Preferences, unknown>> | null
}

const PROFILE = `select "user".full_name, "user".email,
    json_build_object('id', role.id, 'title', role.title, 'kind', role.kind) as role,
    case when partner.id is not null then json_build_object('id', partner.id, 'title', partner.title) end as partner,
    (select business_time_zone from setting) as business_time_zone, (select sending_held from setting) as sending_held,
    ${CLICKS_KEPT_FROM_SQL} as clicks_kept_from,
    (select value from user_preference where user_id = "user".id) as preferences,
    (select json_build_object('id', viewer.id, 'full_name', viewer.full_name) from "user" viewer where viewer.id = $2) as viewed_by
  from "user" join user_role role on role.id = "user".role_id left join partner on partner.id = "user".partner_id
  where "user".id = $1`

const LED_GROUPS = `select id, title from partner_group
  where exists (select 1 from partner_group_team_leader leader where leader.partner_group_id = partner_group.id and leader.user_id = $1)
  order by title, id`

const WORKED_GROUPS = `select id, title from partner_group
  where exists (select 1 from partner_partner_group member
    join partner_group_manager manager on manager.partner_partner_group_id = member.id
    where member.partner_group_id = partner_group.id and member.active and manager.active and manager.user_id = $1)
  order by title, id`

const SAVE_PREFERENCES = `insert into user_preference (user_id, value) values ($1, $2)
  on conflict (user_id) do update set value = user_preference.value || excluded.value`

export const readProfile: Handler<Calls['profile_read']> = async ({ person }, { postgres }) => {
  const { rows } = await postgres.pool.query<ProfileRow>(PROFILE, [person.id, person.viewedBy])
  const row = rows[0]
  if (row === undefined) throw new AppError('unauthorized')
  const groups = await readGroups(postgres, person)
  const { sending_held, preferences: stored, ...shown } = row
  const forAdmin = row.role.kind === 'ADMIN' ? { sending_held } : {}
  return {
    id: person.id,
    ...shown,
    ...forAdmin,
    preferences: readPreferences(stored),
    permissions: [...person.permissions],
    partner_groups: groups,
  }
}

/** A preference that another version of the product stored and this one does not understand is empty. */
function readPreferences(stored: Partial<Record<keyof Preferences, unknown>> | null): Preferences {
  const { favourites, areas, dashboard, start_hidden } = preferences.shape
  return {
    favourites: favourites.catch(NO_PREFERENCES.favourites).parse(stored?.favourites),
    areas: areas.catch(NO_PREFERENCES.areas).parse(stored?.areas),
    dashboard: dashboard.catch(NO_PREFERENCES.dashboard).parse(stored?.dashboard),
    start_hidden: start_hidden.catch(NO_PREFERENCES.start_hidden).parse(stored?.start_hidden),
  }
}

export const savePreferences: Handler<Calls['profile_preferences']> = async ({ person, body }, { postgres }) => {
  await postgres.pool.query(SAVE_PREFERENCES, [person.id, JSON.stringify(body)])
}

async function readGroups({ pool }: Postgres, { id, role }: Person): Promise<Named[]> {
  if (role === 'ADMIN' || role === 'PARTNER') return []
  const { rows } = await pool.query<Named>(role === 'TEAM_LEADER' ? LED_GROUPS : WORKED_GROUPS, [id])
  return rows
}

export const createToken: Handler<Calls['token_create']> = ({ body, ip, userAgent, requestId }, services) => {
  const { keys, attempts } = authService.of(services)
  return logIn({ db: services.postgres.db, keys, attempts, device: { ip, userAgent }, requestId }, body)
}

export const refreshToken: Handler<Calls['token_refresh']> = ({ body }, services) =>
  refreshSession(services.postgres, authService.of(services).keys, body.refreshToken)

export const logOut: Handler<Calls['token_logout']> = async ({ body }, services) => {
  const isGenuine = await endSessionOf(services.postgres.db, authService.of(services).keys, body.tokenData)
  if (!isGenuine) throw new AppError('unauthorized')
}
