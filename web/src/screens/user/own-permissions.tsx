// A person's own set of rights: off, the role's template is in force; on, it begins as the template and says where it differs.
import { Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Permission, RoleKind } from '@tributary/contract/access'
import type { Reference } from '@tributary/contract/field'
import { permissionsOf } from '@tributary/contract/permission-tree'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { useProfile } from '../../data/profile.ts'
import { keys } from '../../data/query-client.ts'
import type { FieldInputProps } from '../../entities/field/field-input.tsx'
import type { FormRow } from '../../entities/form/form-row.ts'
import { PermissionTree } from '../../ui/permission-tree.tsx'
import classes from './user-form.module.css'

interface Role {
  kind: RoleKind
  permissions: Permission[]
}

/** Templates are an admin's to read; a team leader sees the kind and their own limits. */
function useRole(chosen: (Reference & { kind?: RoleKind }) | null): Role | null {
  const isAdmin = useProfile().role.kind === 'ADMIN'
  const { data } = useQuery({
    queryKey: keys.row('user_role', chosen?.id ?? 0),
    queryFn: ({ signal }) => http.get<Role>(`user_role/${chosen?.id}`, { signal }),
    enabled: isAdmin && chosen !== null,
  })
  if (data) return data
  return !isAdmin && chosen?.kind ? { kind: chosen.kind, permissions: [] } : null
}

export function OwnPermissions({ value, error, disabled, onChange }: FieldInputProps) {
  const { t } = useTranslation()
  const chosen = useWatch<FormRow>({ name: 'role' }) as (Reference & { kind?: RoleKind }) | null
  const role = useRole(chosen)
  if (!role) return <p>{t(($) => $.access.people.chooseRole)}</p>
  if (role.kind === 'ADMIN') return <p>{t(($) => $.access.people.admin)}</p>
  const own = Array.isArray(value) ? (value as Permission[]) : null
  const template = role.permissions.filter((key) => permissionsOf(role.kind).includes(key))
  const differences = own === null ? 0 : new Set(own).symmetricDifference(new Set(template)).size
  return (
    <div className={classes.own}>
      <Switch
        label={t(($) => $.access.people.own)}
        description={t(($) => $.access.people.ownHint)}
        checked={own !== null}
        disabled={disabled}
        onChange={(event) => onChange(event.currentTarget.checked ? template : null)}
      />
      {differences > 0 ? (
        <p className={classes.note}>{t(($) => $.access.people.differs, { number: differences })}</p>
      ) : null}
      <PermissionTree
        kind={role.kind}
        value={own ?? template}
        template={own === null ? undefined : template}
        disabled={disabled || own === null}
        onChange={onChange}
      />
      {error ? <p role="alert">{error}</p> : null}
    </div>
  )
}
