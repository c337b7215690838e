// The rows of a list on a narrow screen: a card per row with its title and the chosen columns. Only cards near the visible ones are rendered;
// the page scrolls, not the list.
import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { useLabels } from '../../i18n/labels.ts'
import { isSelected } from '../bulk/selection.ts'
import { rowTitle } from '../field/row-text.ts'
import { CardOrder } from './card-order.tsx'
import classes from './list-cards.module.css'
import type { Row } from './list-query.ts'
import { cellPath, contentOf, firstPath, MenuButton, type RowSetting } from './list-row.tsx'
import { activeField } from './list-state.ts'
import { moveFocus, useFollow } from './row-links.ts'
import { type ListTableProps, useRowSetting } from './row-setting.ts'
import { useScrollPlace } from './scroll-place.ts'

const OVERSCAN = 4
const GAP_PX = 8
/** The first guess: a title, and two columns in a line. */
const TITLE_PX = 60
const LINE_PX = 42

/** The box of the frame in which screens scroll. */
const contentBox = () => document.getElementById('content')

export function ListCards(props: ListTableProps) {
  const { name, columns, rows, isStale, list, zone, selection } = props
  const labels = useLabels()
  const setting = useRowSetting(props, labels, 0)
  const follow = useFollow()
  const cards = useRef<HTMLUListElement>(null)
  const scroller = useRef<HTMLElement | null>(null)
  const [top, setTop] = useState(0)
  // Chips and the bar of the selection change the height above the list.
  useLayoutEffect(() => {
    const box = contentBox()
    scroller.current = box
    if (box === null || cards.current === null) return
    const place = cards.current.getBoundingClientRect().top - box.getBoundingClientRect().top + box.scrollTop
    setTop(Math.round(place))
  })
  useScrollPlace(scroller)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: contentBox,
    estimateSize: () => TITLE_PX + Math.ceil((columns.length - 1) / 2) * LINE_PX,
    gap: GAP_PX,
    overscan: OVERSCAN,
    scrollMargin: top,
    getItemKey: (index) => rows[index]?.id ?? index,
  })
  useTopOfPage(list.query.page, top)
  const items = virtual.getVirtualItems()
  const before = (items[0]?.start ?? top) - top
  const after = virtual.getTotalSize() - ((items.at(-1)?.end ?? top) - top)
  return (
    <section aria-label={labels.title(name)} aria-busy={isStale} className={isStale ? classes.stale : undefined}>
      <CardOrder columns={columns} rows={rows} list={list} name={name} selection={selection} />
      <ul
        ref={cards}
        data-rows
        className={classes.cards}
        style={{ paddingTop: before, paddingBottom: Math.max(0, after) }}
        onKeyDown={moveFocus}
        onClick={follow}
      >
        {items.map(({ index }) => {
          const row = rows[index]
          return row === undefined ? null : (
            <ListCard
              key={row.id}
              row={row}
              index={index}
              count={rows.length}
              setting={setting}
              zone={zone?.mark}
              isSelected={isSelected(selection.selection, row.id)}
              measure={virtual.measureElement}
            />
          )
        })}
      </ul>
    </section>
  )
}

/** Another page begins at its first card. */
function useTopOfPage(page: number, top: number): void {
  const shown = useRef(page)
  const goUp = useEffectEvent(() => contentBox()?.scrollTo({ top: Math.max(0, top - 120) }))
  useEffect(() => {
    if (shown.current === page) return
    shown.current = page
    goUp()
  }, [page])
}

interface ListCardProps {
  row: Row
  index: number
  count: number
  setting: RowSetting
  /** Names the time zone of moments, if it is not the business zone. */
  zone: string | undefined
  isSelected: boolean
  measure: (element: Element | null) => void
}

const ListCard = memo(function ListCard({ row, index, count, setting, zone, isSelected, measure }: ListCardProps) {
  const { name, columns, labels } = setting
  const [first, ...others] = columns
  const flag = activeField(name)
  const isOff = flag !== null && row[flag] === false
  const title = rowTitle(name, row)
  const head = first === undefined ? null : contentOf(row, first, setting)
  const kinds = [classes.card, isOff ? classes.off : '', isSelected ? classes.selected : '']
  return (
    <li
      ref={measure}
      data-index={index}
      aria-setsize={count}
      aria-posinset={index + 1}
      className={kinds.filter(Boolean).join(' ')}
    >
      <div className={classes.head}>
        <label className={classes.check}>
          <input
            type="checkbox"
            data-row-check
            checked={isSelected}
            aria-label={setting.selectLabel(title)}
            onChange={(event) => setting.select([row.id], event.currentTarget.checked)}
          />
        </label>
        <a href={firstPath(row, setting)} data-row className={classes.title}>
          {/* A name may be written from right to left. */}
          <bdi>{head === null || head.value === null || head.value === undefined ? title : head.shown}</bdi>
        </a>
        {setting.actions === null ? null : <MenuButton row={row} setting={setting} actions={setting.actions} />}
      </div>
      <dl className={classes.fields}>
        {others.map((column) => {
          const { value, shown } = contentOf(row, column, setting)
          const href = cellPath(row, column, value, setting)
          const own = labels.field(name, column.path)
          return (
            <div key={column.path} className={classes.field}>
              <dt>{zone !== undefined && column.field.kind === 'datetime' ? `${own} · ${zone}` : own}</dt>
              <dd>{href === null ? shown : <a href={href}>{shown}</a>}</dd>
            </div>
          )
        })}
      </dl>
    </li>
  )
})
