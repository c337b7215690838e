// The panel of a list's filters: every filter that the entity declares, and its active flag, at once in force when changed.
import { Button } from '@mantine/core'
import type { RoleKind } from '@tributary/contract/access'
import type { EntityName } from '@tributary/contract/entities/registry'
import { useTranslation } from 'react-i18next'
import { entityOf, fieldAt } from '../field/field-at.ts'
import { activeField } from '../list/list-state.ts'
import type { ListControl } from '../list/use-list-state.ts'
import { conditionOn, setCondition } from './condition.ts'
import { FilterControl } from './filter-control.tsx'
import classes from './filter-panel.module.css'

/** The active flag comes last: it is set already when a list opens. */
function filterPaths(name: EntityName): string[] {
  const flag = activeField(name)
  return [...new Set([...entityOf(name).list.filters, ...(flag === null ? [] : [flag])])]
}

export function FilterPanel({ name, role, list }: { name: EntityName; role: RoleKind; list: ListControl }) {
  const { t } = useTranslation()
  const { query, defaults, change } = list
  return (
    <section className={classes.panel} id="filters" aria-label={t(($) => $.actions.filters)}>
      <div className={classes.grid}>
        {filterPaths(name).map((path) => {
          const found = fieldAt(name, path, role)
          return found === null ? null : (
            <FilterControl
              key={path}
              name={name}
              path={path}
              found={found}
              condition={conditionOn(query.conditions, path)}
              onChange={(operator, values) =>
                change(({ conditions }) => ({ conditions: setCondition(conditions, path, operator, values) }))
              }
            />
          )
        })}
      </div>
      <div className={classes.foot}>
        <Button variant="subtle" onClick={() => change(() => ({ conditions: defaults.conditions, query: '' }))}>
          {t(($) => $.actions.reset)}
        </Button>
        <Button variant="default" onClick={() => list.setPanelOpen(false)}>
          {t(($) => $.actions.close)}
        </Button>
      </div>
    </section>
  )
}
