// The form of a person: a password that is typed or made up, a set of rights of their own beside the role's, and what is done about their account.
import { Button, Group, PasswordInput } from '@mantine/core'
import { generatePassword } from '@tributary/contract/password'
import { useTranslation } from 'react-i18next'
import { useProfile } from '../../data/profile.ts'
import type { FieldInputProps } from '../../entities/field/field-input.tsx'
import type { FormParts } from '../../entities/form/form-parts.ts'
import { FormScreen } from '../../entities/form/form-screen.tsx'
import { explainPassword, pickAtRandom } from '../../ui/new-password.tsx'
import { AccountActs } from './account-acts.tsx'
import { OwnPermissions } from './own-permissions.tsx'

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
        description={t(($) => $.access.people.password)}
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': t(($) => $.auth.showPassword) }}
        value={typed}
        error={error ?? (typed === '' ? null : explainPassword(typed))}
        disabled={disabled}
        onBlur={onBlur}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <Button variant="default" size="xs" mt={46} disabled={disabled} onClick={makeUp}>
        {t(($) => $.access.restore.generate)}
      </Button>
    </Group>
  )
}

const PARTS: FormParts = {
  fields: {
    enabled: { initial: true },
    password: { input: PasswordField },
    permissions: { input: OwnPermissions },
  },
  below: { main: AccountActs },
}

/** A team leader makes managers and users of partners, no others. */
const LEADERS_PARTS: FormParts = {
  ...PARTS,
  fields: {
    ...PARTS.fields,
    role: { conditions: [{ path: 'kind', operator: 'in', values: ['MANAGER', 'PARTNER'] }] },
  },
}

export function UserForm({ id }: { id: number | null }) {
  const isAdmin = useProfile().role.kind === 'ADMIN'
  return <FormScreen name="user" id={id} parts={isAdmin ? PARTS : LEADERS_PARTS} />
}
