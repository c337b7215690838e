import type { EntityName } from '@tributary/contract/entities/registry'
import { useCallback, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useProfile } from '../../data/profile.ts'
import { useLabels } from '../../i18n/labels.ts'
import { type Column, shownColumns, togglePinned } from '../field/columns.ts'
import { readStoredColumns, type StoredColumns, writeStoredColumns } from './list-storage.ts'

/** The columns of a list, and what changes them. All changes are stored in this browser. */
export interface ColumnControl {
  readonly shown: readonly Column[]
  readonly choose: (paths: readonly string[]) => void
  /** Paths that the user pinned. */
  readonly pinned: readonly string[]
  readonly pin: (path: string) => void
  /** The stored columns, for saved views; `restore` applies them. */
  readonly stored: StoredColumns
  readonly restore: (stored: StoredColumns) => void
  readonly resize: (path: string, width: number) => void
  readonly reset: () => void
}

const DEFAULT_COLUMNS: StoredColumns = { shown: [], widths: {} }

/** The columns of a list that the user may see, as they arranged them. */
export function useColumns(name: EntityName): ColumnControl {
  const role = useProfile().role.kind
  const { i18n } = useTranslation()
  const labels = useLabels()
  const [stored, setStored] = useState(() => readStoredColumns(name) ?? DEFAULT_COLUMNS)
  // biome-ignore lint/correctness/useExhaustiveDependencies: labels change with the language
  const shown = useMemo(
    () =>
      shownColumns(
        name,
        role,
        stored,
        (path) => labels.field(name, path),
        ({ entity, name: own, field }) =>
          field.kind === 'choice' ? field.options.map((option) => labels.choice(entity, own, option)) : [],
      ),
    [name, role, stored, i18n.language],
  )
  const keep = useCallback(
    (edit: (before: StoredColumns) => StoredColumns) =>
      setStored((before) => {
        const next = edit(before)
        writeStoredColumns(name, next)
        return next
      }),
    [name],
  )
  const choose = useCallback((paths: readonly string[]) => keep((before) => ({ ...before, shown: paths })), [keep])
  const pin = useCallback(
    (path: string) => keep((before) => ({ ...before, pinned: togglePinned(before.pinned ?? [], path) })),
    [keep],
  )
  const restore = useCallback((next: StoredColumns) => keep(() => next), [keep])
  const resize = useCallback(
    (path: string, width: number) => keep((before) => ({ ...before, widths: { ...before.widths, [path]: width } })),
    [keep],
  )
  const reset = useCallback(() => keep(() => DEFAULT_COLUMNS), [keep])
  return { shown, choose, resize, reset, pin, pinned: stored.pinned ?? [], stored, restore }
}
