// The line above the cards of a list: selects the rows of the page, and sorts, because cards have no header.
import { ActionIcon, NativeSelect } from '@mantine/core'
import { IconSortAscending, IconSortDescending } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useLabels } from '../../i18n/labels.ts'
import classes from './list-cards.module.css'
import { PageCheck } from './page-check.tsx'
import type { ListTableProps } from './row-setting.ts'

type CardOrderProps = Pick<ListTableProps, 'name' | 'columns' | 'rows' | 'list' | 'selection'>

export function CardOrder({ name, columns, rows, list, selection }: CardOrderProps) {
  const { t } = useTranslation()
  const labels = useLabels()
  const sorted = columns.filter(({ isSorted }) => isSorted)
  const [first] = list.query.order
  const chosen = sorted.find(({ path }) => path === first?.path && list.query.order.length === 1)
  const sort = (path: string, desc: boolean) =>
    list.change(() => ({ order: path === '' ? list.defaults.order : [{ path, desc }] }))
  const isDown = first?.desc === true
  const Icon = isDown ? IconSortDescending : IconSortAscending
  return (
    <div className={classes.order}>
      <PageCheck rows={rows} control={selection} className={classes.check} />
      <NativeSelect
        className={classes.by ?? ''}
        aria-label={t(($) => $.lists.sortBy)}
        value={chosen?.path ?? ''}
        onChange={({ currentTarget }) => sort(currentTarget.value, false)}
        data={[
          { value: '', label: t(($) => $.lists.defaultOrder) },
          ...sorted.map(({ path }) => ({
            value: path,
            label: t(($) => $.list.sortBy, { column: labels.field(name, path) }),
          })),
        ]}
      />
      <ActionIcon
        variant="default"
        disabled={chosen === undefined}
        aria-label={t(($) => (isDown ? $.list.sortDescending : $.list.sortAscending))}
        onClick={() => chosen && sort(chosen.path, !isDown)}
      >
        <Icon size={18} aria-hidden />
      </ActionIcon>
    </div>
  )
}
