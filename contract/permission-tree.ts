// Which keys each kind of role may hold, in the sections in which a screen shows them, and what is wrong with a set of keys. The same for a
// role's template and for a person's own set.
import { PERMISSION_NEEDS, type Permission, type RoleKind } from './access.ts'
import type { Issue } from './validate.ts'

export interface PermissionSection {
  readonly name: string
  /** An edit key stands below the key that it needs. */
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

/** What a kind's tree leaves out: a partner's all that is about others. An admin holds everything by one key. */
const LEFT_OUT: Record<Exclude<RoleKind, 'ADMIN'>, readonly PermissionSectionName[]> = {
  TEAM_LEADER: [],
  MANAGER: [],
  PARTNER: ['partners', 'budget', 'cohorts', 'partner_report', 'new_streams'],
}
/** A partner's own entry of spend is a partner's alone, or a manager's who stands in for one. */
const KEYS_LEFT_OUT: Record<Exclude<RoleKind, 'ADMIN'>, readonly Permission[]> = {
  TEAM_LEADER: ['partners_spend_partner_edit'],
  MANAGER: [],
  PARTNER: [],
}

export function permissionSectionsOf(kind: RoleKind): readonly PermissionSection[] {
  if (kind === 'ADMIN') return []
  return PERMISSION_SECTIONS.filter(({ name }) => !LEFT_OUT[kind].includes(name)).map(({ name, keys }) => ({
    name,
    keys: keys.filter((key) => !KEYS_LEFT_OUT[kind].includes(key)),
  }))
}

export const permissionsOf = (kind: RoleKind): readonly Permission[] =>
  kind === 'ADMIN' ? ['FULL_ACCESS'] : permissionSectionsOf(kind).flatMap(({ keys }) => keys)

/** The set with everything that its keys need. */
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

/** The set without the key and without everything that needs it. */
export function withoutDependent(keys: readonly Permission[], gone: Permission): Permission[] {
  return keys.filter((key) => key !== gone && !withNeeded([key]).includes(gone))
}

export function checkPermissions(kind: RoleKind, keys: readonly Permission[]): readonly Issue[] {
  const allowed = permissionsOf(kind)
  const strange = keys.filter((key) => !allowed.includes(key))
  if (strange.length > 0) return [{ key: 'permission_not_in_kind', values: { keys: strange.join(', ') } }]
  return keys.flatMap((key) => {
    const needed = PERMISSION_NEEDS[key]
    return needed === undefined || keys.includes(needed)
      ? []
      : [{ key: 'permission_needs' as const, values: { key, needed } }]
  })
}
