// The form of a user: a typed or generated password, own permissions beside the role's, and actions on the account.
import { Button, Group, PasswordInput, Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ADMIN_ONLY, type Permission, type RoleKind } from '@tributary/contract/access'
import type { Reference } from '@tributary/contract/field'
import type { Condition } from '@tributary/contract/list-query'
import { generatePassword } from '@tributary/contract/password'
import { permissionsOf } from '@tributary/contract/permission-tree'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { useCan, useProfile } from '../../data/profile.ts'
import { keys } from '../../data/query-client.ts'
import { viewAs } from '../../data/sign-in.ts'
import type { FieldInputProps } from '../../entities/field/field-input.tsx'
import type { FormRow } from '../../entities/form/form-row.ts'
import type { FormSlots, SectionProps } from '../../entities/form/form-slots.ts'
import { currentHolder } from '../../state/profile-facts.ts'
import { askForConfirmation } from '../../ui/confirm.ts'
import { explainPassword, pickAtRandom } from '../../ui/new-password.tsx'
import { notifyFailure, notifySuccess } from '../../ui/notify.ts'
import { PermissionTitle, PermissionTree } from '../../ui/permission-tree.tsx'
import classes from './user-form.module.css'

interface Role {
  kind: RoleKind
  permissions: Permission[]
}

/** Only admins may read templates; a team leader sees the kind and their own permissions. */
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

/** A user's own permissions: off, the role's template applies; on, they start as the template and mark the differences. */
function OwnPermissions({ label, value, error, disabled, onChange }: FieldInputProps) {
  const { t } = useTranslation()
  const chosen = useWatch<FormRow>({ name: 'role' }) as (Reference & { kind?: RoleKind }) | null
  const role = useRole(chosen)
  if (!role || role.kind === 'ADMIN')
    return (
      <>
        <PermissionTitle label={label} />
        <p>{t(($) => (role ? $.people.admin : $.people.chooseRole))}</p>
      </>
    )
  const own = Array.isArray(value) ? (value as Permission[]) : null
  const template = role.permissions.filter((key) => permissionsOf(role.kind).includes(key))
  const differences = own === null ? 0 : new Set(own).symmetricDifference(new Set(template)).size
  return (
    <div className={classes.own}>
      <PermissionTitle label={label} />
      <Switch
        label={t(($) => $.people.own)}
        description={t(($) => $.people.ownHint)}
        checked={own !== null}
        disabled={disabled}
        onChange={(event) => onChange(event.currentTarget.checked ? template : null)}
      />
      {differences > 0 ? <p className={classes.note}>{t(($) => $.people.differs, { number: differences })}</p> : null}
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

/** Actions on an account: invite, reset the second factor, end sessions, view as this user. */
function AccountActions({ row }: SectionProps) {
  const { t } = useTranslation()
  const can = useCan()
  const profile = useProfile()
  if (row === null || row.id === profile.id || row.enabled !== true) return null
  const id = Number(row.id)
  const { kind } = row.role as { kind?: RoleKind }
  const act = async (work: () => Promise<unknown>, done?: string) => {
    try {
      await work()
      if (done !== undefined) notifySuccess(done)
    } catch (error) {
      notifyFailure(error)
    }
  }
  const reset = async () => {
    const title = t(($) => $.people.resetFactor)
    const isSure = await askForConfirmation({
      title,
      text: t(($) => $.people.resetFactorText),
      confirm: title,
      danger: true,
    })
    if (isSure)
      await act(
        () => http.post(`user/${id}/reset_two_factor`, {}),
        t(($) => $.people.factorReset),
      )
  }
  return (
    <div className={classes.acts}>
      <Button
        variant="default"
        onClick={() =>
          void act(
            () => http.post(`user/${id}/invitation`, {}),
            t(($) => $.people.invited),
          )
        }
      >
        {t(($) => $.people.invite)}
      </Button>
      {can(ADMIN_ONLY) ? (
        <>
          <Button variant="default" onClick={() => void reset()}>
            {t(($) => $.people.resetFactor)}
          </Button>
          <Button
            variant="default"
            onClick={() =>
              void act(
                () => http.delete(`user/${id}/sessions`),
                t(($) => $.people.sessionsEnded),
              )
            }
          >
            {t(($) => $.people.endSessions)}
          </Button>
          {kind === 'ADMIN' ? null : (
            <Button variant="default" onClick={() => void act(() => viewAs(id))}>
              {t(($) => $.people.viewAs)}
            </Button>
          )}
        </>
      ) : null}
    </div>
  )
}

function PasswordField({ label, value, error, disabled, onChange, onBlur }: FieldInputProps) {
  const { t } = useTranslation()
  const typed = typeof value === 'string' ? value : ''
  const makeUp = () => {
    const password = generatePassword(pickAtRandom)
    onChange(password)
    void navigator.clipboard?.writeText(password).catch(() => undefined)
  }
  return (
    <Group align="flex-start" gap={8} wrap="nowrap">
      <PasswordInput
        flex={1}
        label={label}
        description={t(($) => $.people.password)}
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': t(($) => $.auth.showPassword) }}
        value={typed}
        error={error ?? (typed === '' ? null : explainPassword(typed))}
        disabled={disabled}
        onBlur={onBlur}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <Button variant="default" size="xs" mt={46} disabled={disabled} onClick={makeUp}>
        {t(($) => $.password.generate)}
      </Button>
    </Group>
  )
}

/** A team leader may only create managers and partner users. */
const roleConditions = (): Condition[] =>
  currentHolder()?.role === 'ADMIN' ? [] : [{ path: 'kind', operator: 'in', values: ['MANAGER', 'PARTNER'] }]

export const USER_FORM: FormSlots = {
  fields: {
    role: { conditions: roleConditions },
    enabled: { initial: true },
    password: { input: PasswordField },
    permissions: { input: OwnPermissions, isWide: true },
  },
  below: { main: AccountActions },
}
