// What the dialog of an import offers to take.
import type { SpendImport } from '@tributary/contract/calls/spend-import'
import { expect, test } from 'vitest'
import { summarizeTaking } from '../src/screens/partner-spend/import-modal.tsx'

const note = (cell: string, code: string) => ({ cell, code, message: code })

const OUTCOME: SpendImport = {
  ...{ import: 'a', done: false, tab: null, other_tabs: [], refused: [], refused_total: 0 },
  ...{ new: 1, changed: 3, taken_over: 2, equal: 4 },
  warnings: [
    note('A1', 'spend_kept_from_sheet'),
    note('A2', 'spend_replaces_sheet'),
    note('A3', 'spend_kept_from_sheet'),
  ],
  warnings_total: 3,
}

test('without equal sums of the sheet, only the other sums and their warnings are shown [SPD-02] [MON-06]', () => {
  expect(summarizeTaking(OUTCOME, true)).toEqual({ sums: 4, warnings: OUTCOME.warnings, warningsTotal: 3 })
  expect(summarizeTaking(OUTCOME, false)).toEqual({
    sums: 2,
    warnings: [note('A2', 'spend_replaces_sheet')],
    warningsTotal: 1,
  })
})
