// What all rows of a list share, in the table and in cards.
import { useRouterState } from '@tanstack/react-router'
import type { EntityName } from '@tributary/contract/entities/registry'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../data/profile.ts'
import type { Labels } from '../../i18n/labels.ts'
import { useIsFinger } from '../../ui/narrow.ts'
import type { SelectionControl } from '../bulk/selection.ts'
import type { Column } from '../field/columns.ts'
import { entityOf, targetOf } from '../field/field-at.ts'
import type { Row } from './list-query.ts'
import type { RowSetting } from './list-row.tsx'
import type { RowActions } from './row-actions.tsx'
import type { ListControl } from './use-list-state.ts'

export interface ListTableProps {
  name: EntityName
  columns: readonly Column[]
  rows: readonly Row[]
  isStale: boolean
  list: ListControl
  onResize: (path: string, width: number) => void
  actions: RowActions | null
  zone?: { id: string; mark: string } | undefined
  selection: SelectionControl
}

/** The widths of the checkbox alone, and with the menu button of the row. */
const CHECK_WIDTHS = { mouse: { only: 36, withMenu: 62 }, finger: { only: 48, withMenu: 92 } }
export const useCheckWidth = (hasMenu: boolean): number =>
  CHECK_WIDTHS[useIsFinger() ? 'finger' : 'mouse'][hasMenu ? 'withMenu' : 'only']

/** The first column leaves room for others on a narrow screen. */
export const widthOf = ({ width, growth }: Column, index: number): string => {
  const own = index === 0 ? `min(${width}px, 44vw)` : `${width}px`
  return growth === undefined ? own : `calc(${own} + ${growth})`
}

/** Pinned columns are at the left, each after the ones before it. */
function leftsOf(columns: readonly Column[], checkWidth: number): (string | null)[] {
  let before = `${checkWidth}px`
  return columns.map((column, index) => {
    if (!column.isPinned) return null
    const left = index === 0 ? before : `calc(${before})`
    before = `${before} + ${widthOf(column, index)}`
    return left
  })
}

export function useRowSetting(
  { name, columns, actions, zone, selection }: ListTableProps,
  labels: Labels,
  checkWidth: number,
): RowSetting {
  const { t, i18n } = useTranslation()
  const can = useCan()
  const href = useRouterState({ select: (state) => state.location.href })
  const linked = columns.flatMap(({ path, field }) => {
    const target = field.kind === 'reference' ? targetOf(field) : null
    return target !== null && can(entityOf(target).access.view) ? [path] : []
  })
  const linkedKey = linked.join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: labels and t change with the language, the links with their names
  return useMemo(
    () => ({
      name,
      columns,
      labels,
      actions,
      href,
      zone: zone?.id,
      linked: new Set(linked),
      lefts: leftsOf(columns, checkWidth),
      select: selection.set,
      selectLabel: (title: string) => t(($) => $.lists.selectRow, { title }),
      actionsOn: (title: string) => t(($) => $.engine.rowActions, { title }),
    }),
    [name, columns, actions, href, zone, linkedKey, selection.set, i18n.language, checkWidth],
  )
}
