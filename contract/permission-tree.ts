// Lists the permissions that each kind of role may hold, by the sections of the role form, and validates a set of permissions.
import { PERMISSION_NEEDS, type Permission, type RoleKind } from './access.ts'
import type { Issue } from './validate.ts'

/** A section of permissions in the form of a role. */
export interface PermissionSection {
  readonly name: string
  /** An edit permission follows the one that it needs. */
  readonly keys: readonly Permission[]
}

export const PERMISSION_SECTIONS = [
  { name: 'dashboard', keys: ['dashboard'] },
  { name: 'offers', keys: ['offer_view'] },
  { name: 'partners', keys: ['partners_view', 'partners_edit', 'manager_access'] },
  { name: 'spends', keys: ['partners_spend_view', 'partners_spend_edit', 'partners_spend_partner_edit'] },
  { name: 'players', keys: ['players'] },
  { name: 'landings', keys: ['landing_view', 'landing_edit'] },
  { name: 'traffic_sources', keys: ['traffic_source_view', 'traffic_source_edit'] },
  { name: 'budget', keys: ['budget_report_view', 'budget_report_edit'] },
  { name: 'invoices', keys: ['payment_invoice_view', 'payment_invoice_edit'] },
  { name: 'clicks', keys: ['click'] },
  { name: 'general_report', keys: ['general_report'] },
  { name: 'cohorts', keys: ['cohort_analysis_view', 'cohort_analysis_cumulative_view'] },
  { name: 'partner_report', keys: ['partner_report'] },
  { name: 'new_streams', keys: ['new_streams'] },
  { name: 'payment_resolution', keys: ['cpa_payment_view', 'cpa_payment_edit'] },
] as const satisfies readonly PermissionSection[]

export type PermissionSectionName = (typeof PERMISSION_SECTIONS)[number]['name']

/** Sections of permissions that a kind of role cannot hold. */
const FORBIDDEN_SECTIONS: Record<Exclude<RoleKind, 'ADMIN'>, readonly PermissionSectionName[]> = {
  TEAM_LEADER: [],
  MANAGER: [],
  PARTNER: ['partners', 'budget', 'cohorts', 'partner_report', 'new_streams'],
}
/** Only partners, and managers on their behalf, enter claims. */
const FORBIDDEN_KEYS: Record<Exclude<RoleKind, 'ADMIN'>, readonly Permission[]> = {
  TEAM_LEADER: ['partners_spend_partner_edit'],
  MANAGER: [],
  PARTNER: [],
}

/** The sections and permissions that a role of this kind can hold. None for ADMIN, which holds all. */
export function permissionSectionsOf(kind: RoleKind): readonly PermissionSection[] {
  if (kind === 'ADMIN') return []
  return PERMISSION_SECTIONS.filter(({ name }) => !FORBIDDEN_SECTIONS[kind].includes(name)).map(({ name, keys }) => ({
    name,
    keys: keys.filter((key) => !FORBIDDEN_KEYS[kind].includes(key)),
  }))
}

/** The permissions that a role of this kind can hold. */
export const permissionsOf = (kind: RoleKind): readonly Permission[] =>
  kind === 'ADMIN' ? ['FULL_ACCESS'] : permissionSectionsOf(kind).flatMap(({ keys }) => keys)

/** Adds the permissions that the given ones need. */
export function withNeeded(keys: readonly Permission[]): Permission[] {
  const all = new Set<Permission>()
  for (let key of keys) {
    for (;;) {
      all.add(key)
      const needed = PERMISSION_NEEDS[key]
      if (needed === undefined) break
      key = needed
    }
  }
  return [...all]
}

/** Removes a permission and all permissions that need it. */
export function withoutDependent(keys: readonly Permission[], removed: Permission): Permission[] {
  return keys.filter((key) => key !== removed && !withNeeded([key]).includes(removed))
}

/** Issues of a permission set for a kind of role; empty if valid. */
export function checkPermissions(kind: RoleKind, keys: readonly Permission[]): readonly Issue[] {
  const allowed = permissionsOf(kind)
  const forbidden = keys.filter((key) => !allowed.includes(key))
  if (forbidden.length > 0) return [{ key: 'permission_not_in_kind', values: { keys: forbidden.join(', ') } }]
  return keys.flatMap((key) => {
    const needed = PERMISSION_NEEDS[key]
    return needed === undefined || keys.includes(needed)
      ? []
      : [{ key: 'permission_needs' as const, values: { key, needed } }]
  })
}
