// Reads the titles of the cells of the budget plan.
import type { ReportGroup } from '@tributary/contract/reports/general'
import type { ReportContext } from '../engine/context.ts'
import { readTitles, toReportGroup } from '../engine/titles.ts'
import type { BudgetCell } from './budget-cells.ts'

type TitledDimension = 'advertiser' | 'country' | 'partner'
export type Titles = Readonly<Record<TitledDimension, (id: number) => ReportGroup>>

export async function readCellTitles(
  cells: readonly BudgetCell[],
  { postgres, viewer }: ReportContext,
): Promise<Titles> {
  const read = async (dimension: TitledDimension, ids: readonly number[]) => {
    const titles = await readTitles(postgres, dimension, ids)
    return (id: number) => toReportGroup(dimension, id, titles, viewer.language)
  }
  const [advertiser, country, partner] = await Promise.all([
    read(
      'advertiser',
      cells.map((cell) => cell.advertiser),
    ),
    read(
      'country',
      cells.map((cell) => cell.country),
    ),
    read(
      'partner',
      cells.flatMap(({ partners }) => partners.map((one) => one.partner)),
    ),
  ])
  return { advertiser, country, partner }
}
