// Lets the user choose between what they and somebody else have entered in the same cells.
import { Button } from '@mantine/core'
import type { SpendTable } from '@tributary/contract/calls/spend-table'
import { useTranslation } from 'react-i18next'
import { type GridRange, settleClashes } from './grid-model.ts'
import classes from './spend-grid.module.css'
import type { SpendGrid } from './use-spend-grid.ts'

interface ClashChoiceProps {
  table: SpendTable
  grid: SpendGrid
  range: GridRange
  /** The number of clashes, if they are settled all at once. */
  count?: number
  /** The pressed button is gone then: the grid takes the focus. */
  onSettled: () => void
}

export function ClashChoice({ table, grid, range, count, onSettled }: ClashChoiceProps) {
  const { t } = useTranslation()
  const settle = (choice: 'mine' | 'theirs') => {
    grid.replace(settleClashes(grid.edits, table.rows, choice, range))
    onSettled()
  }
  return (
    <span className={classes.clash}>
      <Button size="compact-sm" variant="default" onClick={() => settle('mine')}>
        {count === undefined ? t(($) => $.spends.grid.mine) : t(($) => $.spends.grid.allMine, { count })}
      </Button>
      <Button size="compact-sm" variant="default" onClick={() => settle('theirs')}>
        {count === undefined ? t(($) => $.spends.grid.theirs) : t(($) => $.spends.grid.allTheirs, { count })}
      </Button>
    </span>
  )
}
