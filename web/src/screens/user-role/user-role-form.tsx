// The form of a role: its template as a tree of the permissions of its kind.
import type { Permission, RoleKind } from '@tributary/contract/access'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { FieldInputProps } from '../../entities/field/field-input.tsx'
import type { FormRow } from '../../entities/form/form-row.ts'
import type { FormSlots, SectionProps } from '../../entities/form/form-slots.ts'
import { PermissionTitle, PermissionTree } from '../../ui/permission-tree.tsx'

function TemplateField({ label, value, error, disabled, onChange }: FieldInputProps) {
  const { t } = useTranslation()
  // The options of the field are the role kinds of the contract.
  const kind = useWatch<FormRow>({ name: 'kind' }) as RoleKind | null
  return (
    <>
      <PermissionTitle label={label} />
      {kind === null || kind === undefined ? (
        <p>{t(($) => $.people.chooseRole)}</p>
      ) : kind === 'ADMIN' ? (
        <p>{t(($) => $.people.admin)}</p>
      ) : (
        <PermissionTree
          kind={kind}
          value={Array.isArray(value) ? (value as Permission[]) : []}
          disabled={disabled}
          onChange={onChange}
        />
      )}
      {error ? <p role="alert">{error}</p> : null}
    </>
  )
}

function BuiltIn({ row }: SectionProps) {
  const { t } = useTranslation()
  return row?.built_in === true ? <p>{t(($) => $.people.builtIn)}</p> : null
}

export const USER_ROLE_FORM: FormSlots = {
  // The default must not be ADMIN, so that nobody creates an administrator by accident.
  fields: { kind: { initial: 'MANAGER' }, permissions: { input: TemplateField, isWide: true } },
  above: { main: BuiltIn },
}
