// Permission keys, role kinds, and the one rule that grants access. Every entity, call and report must state its requirement.

export const PERMISSIONS = [
  'dashboard',
  'offer_view',
  'partners_view',
  'partners_edit',
  'manager_access',
  'partners_spend_view',
  'partners_spend_edit',
  'partners_spend_partner_edit',
  'players',
  'landing_view',
  'landing_edit',
  'traffic_source_view',
  'traffic_source_edit',
  'budget_report_view',
  'budget_report_edit',
  'payment_invoice_view',
  'payment_invoice_edit',
  'click',
  'general_report',
  'cohort_analysis_view',
  'cohort_analysis_cumulative_view',
  'partner_report',
  'new_streams',
  'cpa_payment_view',
  'cpa_payment_edit',
  'FULL_ACCESS',
] as const

export type Permission = (typeof PERMISSIONS)[number]

/** A permission has no effect without the one it needs. */
export const PERMISSION_NEEDS: Partial<Record<Permission, Permission>> = {
  partners_edit: 'partners_view',
  manager_access: 'partners_edit',
  partners_spend_edit: 'partners_spend_view',
  partners_spend_partner_edit: 'partners_spend_view',
  landing_edit: 'landing_view',
  traffic_source_edit: 'traffic_source_view',
  budget_report_edit: 'budget_report_view',
  payment_invoice_edit: 'payment_invoice_view',
  cpa_payment_edit: 'cpa_payment_view',
}

export const ROLE_KINDS = ['ADMIN', 'TEAM_LEADER', 'MANAGER', 'PARTNER'] as const
export type RoleKind = (typeof ROLE_KINDS)[number]

/** 'everyone' allows every signed-in user; otherwise any one of the listed roles or permissions is enough. Roles in `never` are rejected whatever they hold. */
export type Requirement =
  | 'everyone'
  | { roles?: readonly RoleKind[]; permissions?: readonly Permission[]; never?: readonly RoleKind[] }

/** Role and effective permissions of a user. */
export interface AccessHolder {
  role: RoleKind
  permissions: readonly Permission[]
}

export const ADMIN_ONLY = { roles: ['ADMIN'] } as const satisfies Requirement
export const ADMIN_OR_LEADERS = { roles: ['ADMIN', 'TEAM_LEADER'] } as const satisfies Requirement
export const STAFF = { roles: ['ADMIN', 'TEAM_LEADER', 'MANAGER'] } as const satisfies Requirement
/** A requirement that no user meets. */
export const NOBODY = { roles: [] } as const satisfies Requirement

/** Admins, team leaders, and anyone who holds one of the permissions. */
export const leadersOr = (...permissions: Permission[]): Requirement => ({
  roles: ['ADMIN', 'TEAM_LEADER'],
  permissions,
})

/** Like `leadersOr`, but never a PARTNER, even one who holds a permission. */
export const staffLeadersOr = (...permissions: Permission[]): Requirement => ({
  roles: ['ADMIN', 'TEAM_LEADER'],
  permissions,
  never: ['PARTNER'],
})

/** True if the holder meets the requirement. */
export function isAllowed(requirement: Requirement, holder: AccessHolder): boolean {
  if (requirement === 'everyone') return true
  if (requirement.never?.includes(holder.role)) return false
  if (requirement.roles?.includes(holder.role)) return true
  return requirement.permissions?.some((key) => hasPermission(holder, key)) ?? false
}

/** True if the holder has the permission and all permissions it needs. FULL_ACCESS includes every permission. */
export function hasPermission(holder: AccessHolder, key: Permission): boolean {
  if (holder.permissions.includes('FULL_ACCESS')) return true
  const needed = PERMISSION_NEEDS[key]
  return holder.permissions.includes(key) && (needed === undefined || hasPermission(holder, needed))
}

/** Access of an entity whose rows are created, edited and removed by the same people. */
export const writtenBy = <const R extends Requirement>(who: R) => ({ create: who, edit: who, remove: who })

/** Access of entities that belong to a partner: contacts, postback URLs, groups. */
export const PARTNER_DETAILS = {
  view: leadersOr('partners_view'),
  lookup: leadersOr('partners_view'),
  ...writtenBy(leadersOr('partners_edit')),
}
