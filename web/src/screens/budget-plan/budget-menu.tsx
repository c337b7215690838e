// The menu of one country's budget: its states, versions, history, and partner budgets.
import { ActionIcon, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import type { BudgetGroup } from '@tributary/contract/reports/budget'
import { type ReactElement, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { editPath } from '../../entities/field/row-link.ts'
import { type BudgetRights, STEP_FROM, type Step, takeStep } from './budget-actions.ts'
import { useBudgetRefresh } from './use-budget.ts'

interface BudgetMenuProps {
  name: string
  group: BudgetGroup
  rights: BudgetRights
  onVersions: () => void
  onAddPart: () => void
}

/** Creates the menu when it is first opened: hundreds of rows need hundreds of buttons, but not menus. */
export function BudgetMenu(props: BudgetMenuProps) {
  const { t } = useTranslation()
  const [isMade, setMade] = useState(false)
  const { name, group, rights } = props
  if (group.budget.id === null && !rights.edits) return null
  const button = (open?: () => void) => (
    <ActionIcon
      variant="subtle"
      color="gray"
      size={24}
      aria-label={t(($) => $.budget.acts, { name })}
      aria-haspopup="menu"
      {...(open && { onClick: open })}
    >
      <IconDots size={15} aria-hidden />
    </ActionIcon>
  )
  return isMade ? <OpenMenu {...props}>{button()}</OpenMenu> : button(() => setMade(true))
}

function OpenMenu({ group, rights, onVersions, onAddPart, children }: BudgetMenuProps & { children: ReactElement }) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(true)
  const navigate = useNavigate()
  const refresh = useBudgetRefresh()
  const { id, state } = group.budget
  const steps: Step[] = [
    ...(rights.edits ? (['propose', 'withdraw'] as const) : []),
    ...(rights.approves ? (['approve'] as const) : []),
  ]
  const open = steps.filter((step) => id !== null && STEP_FROM[step] === state)
  const path = id === null ? null : editPath('budget', id)
  return (
    <Menu opened={isOpen} onChange={setOpen} position="bottom-end" width="max-content">
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown>
        {open.map((step) => (
          <Menu.Item key={step} onClick={() => void takeStep(step, id === null ? [] : [id], refresh)}>
            {t(($) => $.budget[step])}
          </Menu.Item>
        ))}
        {rights.edits ? <Menu.Item onClick={onAddPart}>{t(($) => $.budget.addPart)}</Menu.Item> : null}
        {path === null ? null : (
          <>
            <Menu.Divider />
            <Menu.Item onClick={onVersions}>{t(($) => $.budget.versions)}</Menu.Item>
            <Menu.Item onClick={() => void navigate({ to: path })}>{t(($) => $.budget.openRow)}</Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
