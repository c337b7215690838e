// Permissions of a role kind in sections, each edit right below the view right that it needs. Ticking a permission also ticks those
// that it needs, clearing one clears those that depend on it. With a template it marks the differences.
import { Checkbox } from '@mantine/core'
import { PERMISSION_NEEDS, type Permission, type RoleKind } from '@tributary/contract/access'
import {
  type PermissionSectionName,
  permissionSectionsOf,
  withNeeded,
  withoutDependent,
} from '@tributary/contract/permission-tree'
import { useTranslation } from 'react-i18next'
import { useLabels } from '../i18n/labels.ts'
import classes from './permission-tree.module.css'

interface PermissionTreeProps {
  kind: RoleKind
  value: readonly Permission[]
  /** The role's permissions, to mark additions and removals. */
  template?: readonly Permission[] | undefined
  disabled?: boolean
  onChange: (value: Permission[]) => void
}

export function PermissionTree({ kind, value, template, disabled = false, onChange }: PermissionTreeProps) {
  const { t } = useTranslation()
  const labels = useLabels()
  const change = (key: Permission, isOn: boolean) =>
    onChange(isOn ? [...new Set([...value, ...withNeeded([key])])] : withoutDependent(value, key))
  return (
    <div className={classes.tree}>
      {permissionSectionsOf(kind).map(({ name, keys }) => (
        <fieldset key={name} className={classes.section}>
          <legend>{t(($) => $.people.sections[name as PermissionSectionName])}</legend>
          {keys.map((key) => {
            const isOn = value.includes(key)
            const isUsual = template?.includes(key) ?? isOn
            return (
              <div key={key} style={{ paddingInlineStart: 20 * (withNeeded([key]).length - 1) }}>
                <Checkbox
                  size="sm"
                  checked={isOn}
                  disabled={disabled}
                  label={
                    <>
                      {labels.permission(key)}
                      {isOn === isUsual ? null : (
                        <span className={isOn ? classes.added : classes.taken}>
                          {isOn ? t(($) => $.people.added) : t(($) => $.people.taken)}
                        </span>
                      )}
                    </>
                  }
                  description={needOf(key, (needed) => t(($) => $.people.needs, { needed: labels.permission(needed) }))}
                  onChange={(event) => change(key, event.currentTarget.checked)}
                />
              </div>
            )
          })}
        </fieldset>
      ))}
    </div>
  )
}

/** The label of a field that is a tree: what the field means stands behind it. */
export const PermissionTitle = ({ label }: { label: string | undefined }) => <p className={classes.title}>{label}</p>

function needOf(key: Permission, say: (needed: Permission) => string): string | undefined {
  const needed = PERMISSION_NEEDS[key]
  return needed === undefined ? undefined : say(needed)
}
