// Selects or deselects the rows of a page.
import { useTranslation } from 'react-i18next'
import { pageState, type SelectionControl } from '../bulk/selection.ts'
import type { Row } from './list-query.ts'

interface PageCheckProps {
  rows: readonly Row[]
  control: SelectionControl
  /** The look of the touched area around the box. */
  className?: string | undefined
}

export function PageCheck({ rows, control, className }: PageCheckProps) {
  const { t } = useTranslation()
  const ids = rows.map(({ id }) => id)
  const state = pageState(control.selection, ids)
  return (
    <label className={className}>
      <input
        type="checkbox"
        aria-label={t(($) => $.lists.selectPage)}
        checked={state === 'all'}
        ref={(box) => {
          if (box !== null) box.indeterminate = state === 'some'
        }}
        onChange={() => control.set(ids, state !== 'all')}
      />
    </label>
  )
}
