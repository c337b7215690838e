// The line of what is in force: a chip for each condition, how many rows wait for approval, a way to clear all.
import { Button } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import type { RoleKind } from '@tributary/contract/access'
import type { EntityName } from '@tributary/contract/entities/registry'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { FilterChips } from '../../ui/filter-chip.tsx'
import { fieldAt } from '../field/field-at.ts'
import classes from '../list/list-screen.module.css'
import type { ListControl } from '../list/use-list-state.ts'
import { conditionOn, setCondition } from './condition.ts'
import { ConditionChip } from './condition-chip.tsx'
import { focusFilter } from './filter-control.tsx'

interface ListChipsProps {
  name: EntityName
  role: RoleKind
  list: ListControl
  unapproved: number | null
}

function openFilter(list: ListControl, path: string): void {
  // The panel must be on the page before its filter can take the focus.
  flushSync(() => list.setPanelOpen(true))
  focusFilter(path)
}

export function ListChips({ name, role, list, unapproved }: ListChipsProps) {
  const { t } = useTranslation()
  const { query, change } = list
  const isAsked = conditionOn(query.conditions, 'state')?.values.join() === 'unapproved'
  const showUnapproved = () =>
    change(({ conditions }) => ({ conditions: setCondition(conditions, 'state', 'in', ['unapproved']) }))
  if (query.conditions.length === 0 && !unapproved) return null
  return (
    <div className={classes.chips}>
      <FilterChips>
        {unapproved && !isAsked ? (
          <button
            type="button"
            className={classes.unapproved}
            title={t(($) => $.engine.onlyUnapproved)}
            onClick={showUnapproved}
          >
            <IconAlertCircle size={14} aria-hidden />
            {t(($) => $.list.unapproved, { count: unapproved })}
          </button>
        ) : null}
        {query.conditions.map((condition) => {
          const found = fieldAt(name, condition.path, role)
          return found === null ? null : (
            <ConditionChip
              key={`${condition.path} ${condition.operator}`}
              name={name}
              condition={condition}
              found={found}
              onOpen={() => openFilter(list, condition.path)}
              onRemove={() =>
                change(({ conditions }) => ({ conditions: conditions.filter((other) => other !== condition) }))
              }
            />
          )
        })}
        {query.conditions.length > 1 ? (
          <Button variant="subtle" size="compact-xs" onClick={() => change(() => ({ conditions: [] }))}>
            {t(($) => $.actions.clearAll)}
          </Button>
        ) : null}
      </FilterChips>
    </div>
  )
}
