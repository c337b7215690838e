// The filter panel of a list: the entity's filters and its active flag.
import { Button } from '@mantine/core'
import type { EntityName } from '@tributary/contract/entities/registry'
import { useTranslation } from 'react-i18next'
import { Deferred } from '../../ui/deferred.tsx'
import { FilterDrawer } from '../../ui/filter-drawer.tsx'
import { useIsTablet } from '../../ui/narrow.ts'
import { entityOf, fieldAt } from '../field/field-at.ts'
import { activeField } from '../list/list-state.ts'
import type { ListControl } from '../list/use-list-state.ts'
import { conditionOn, isOpeningCondition, setCondition } from './condition.ts'
import { FilterControl } from './filter-control.tsx'
import classes from './filter-panel.module.css'

/** The active flag comes last, because it is already set when a list opens. */
function filterPaths(name: EntityName): string[] {
  const flag = activeField(name)
  return [...new Set([...entityOf(name).list.filters, ...(flag === null ? [] : [flag])])]
}

/** Above the rows; a drawer on narrow screens. */
export function FilterPanel({ name, list }: { name: EntityName; list: ListControl }) {
  const { t } = useTranslation()
  const close = () => list.setPanelOpen(false)
  const title = t(($) => $.actions.filters)
  if (useIsTablet())
    return (
      <FilterDrawer isOpen={list.isPanelOpen} onClose={close} title={title} closeLabel={t(($) => $.actions.close)}>
        <Deferred>
          <PanelContent name={name} list={list} onClose={close} />
        </Deferred>
      </FilterDrawer>
    )
  return list.isPanelOpen ? (
    <section className={classes.panel} id="filters" aria-label={title}>
      <PanelContent name={name} list={list} onClose={close} />
    </section>
  ) : null
}

function PanelContent({ name, list, onClose }: { name: EntityName; list: ListControl; onClose: () => void }) {
  const { t } = useTranslation()
  const { query, defaults, change } = list
  // Switches of the list show the conditions that it opens with.
  const own = query.conditions.filter((condition) => !isOpeningCondition(name, condition))
  return (
    <>
      <div className={classes.grid}>
        {filterPaths(name).map((path) => {
          const found = fieldAt(name, path)
          return found === null ? null : (
            <FilterControl
              key={path}
              name={name}
              path={path}
              found={found}
              condition={conditionOn(own, path)}
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
        <Button variant="default" onClick={onClose}>
          {t(($) => $.actions.close)}
        </Button>
      </div>
    </>
  )
}
