// The filters beside a report: the button that opens them, and the panel, which is a drawer on narrow screens.

import { Button } from '@mantine/core'
import { IconFilter, IconLayoutSidebarLeftCollapse } from '@tabler/icons-react'
import { useRouterState } from '@tanstack/react-router'
import { useReportWords } from '../../i18n/labels.ts'
import { lazyComponent } from '../../lib/lazy-component.tsx'
import { createSharedValue, createStoredValue, useStoredValue } from '../../state/stored-value.ts'
import { Deferred } from '../../ui/deferred.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { useIsTablet } from '../../ui/narrow.ts'
import classes from '../report.module.css'
import type { FilterControl } from './filter-state.ts'

const FilterDrawer = lazyComponent(
  'filter-drawer',
  async () => (await import('../../ui/filter-drawer.tsx')).FilterDrawer,
)
const FilterPanel = lazyComponent('filters', async () => (await import('./filter-panel.tsx')).FilterPanel)

const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean'
type OpenValue = ReturnType<typeof createStoredValue<boolean>>
const panels = new Map<string, OpenValue>()

function panelOf(screen: string): OpenValue {
  const known = panels.get(screen) ?? createStoredValue(`filters_open:${screen}`, false, isBoolean)
  panels.set(screen, known)
  return known
}

/** A drawer covers the report, so it never opens by itself. */
const drawerOpen = createSharedValue(false)

/** Each screen keeps its own choice. */
export function useFiltersOpen() {
  const screen = useRouterState({ select: ({ location }) => location.pathname })
  return useStoredValue(useIsTablet() ? drawerOpen : panelOf(screen))
}

export function FiltersButton({ control }: { control: FilterControl }) {
  const words = useReportWords()
  const [isOpen, setOpen] = useFiltersOpen()
  const count = Object.keys(control.state.filters).length + (control.state.conditions?.length ?? 0)
  return (
    <Button
      variant={isOpen ? 'light' : 'default'}
      fw={450}
      classNames={{ root: classes.action ?? '', section: classes.actionIcon ?? '' }}
      leftSection={<IconFilter size={15} aria-hidden />}
      aria-label={words.filterPanel.show}
      aria-expanded={isOpen}
      onClick={() => setOpen(!isOpen)}
    >
      <span className={classes.actionLabel}>{words.filterPanel.show}</span>
      {count > 0 ? <span className={classes.count}>{count}</span> : null}
    </Button>
  )
}

export function FiltersAside({ control }: { control: FilterControl }) {
  const words = useReportWords()
  const [isOpen, setOpen] = useFiltersOpen()
  if (useIsTablet())
    return (
      <FilterDrawer
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={words.filterPanel.title}
        closeLabel={words.filterPanel.hide}
      >
        <FilterPanel control={control} />
      </FilterDrawer>
    )
  if (!isOpen) return null
  return (
    <aside className={classes.aside} aria-label={words.filterPanel.title}>
      <div className={classes.asideHead}>
        {words.filterPanel.title}
        <IconButton
          label={words.filterPanel.hide}
          icon={IconLayoutSidebarLeftCollapse}
          size={26}
          onClick={() => setOpen(false)}
        />
      </div>
      <div className={classes.asideBody}>
        <Deferred>
          <FilterPanel control={control} />
        </Deferred>
      </div>
    </aside>
  )
}
