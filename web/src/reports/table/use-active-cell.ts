// The cell where the keyboard is. The grid keeps the focus and points at the cell, so that a row may leave the page while one scrolls.
import { type KeyboardEvent, type RefObject, useState } from 'react'
import { type Cell, type GridFacts, stepFor } from './cell-move.ts'

interface ActiveCellOptions {
  frame: RefObject<HTMLElement | null>
  gridId: string
  factsAt: (row: number) => GridFacts
  act: (what: 'toggle' | 'open' | 'menu', row: number, column: number, element: Element | null) => void
  scrollTo: (row: number) => void
}

export function useActiveCell({ frame, gridId, factsAt, act, scrollTo }: ActiveCellOptions) {
  const [active, setActive] = useState<Cell | null>(null)

  const onKeyDown = (event: KeyboardEvent) => {
    // Buttons inside the grid answer for themselves.
    if (event.target !== event.currentTarget) return
    const cell = active ?? { row: 0, column: 0 }
    const facts = factsAt(cell.row)
    // Most keyboards have no key for menus: this is the one that stands for it.
    const key = event.key === 'F10' && event.shiftKey ? 'ContextMenu' : event.key
    const step = stepFor(key, event.ctrlKey || event.metaKey, cell, facts)
    if (step === null) return
    event.preventDefault()
    if ('act' in step) {
      setActive(cell)
      act(step.act, cell.row, cell.column, document.getElementById(`${gridId}-active`))
      return
    }
    // The first key only shows where one is.
    const to = active === null ? cell : step.to
    setActive(to)
    if (to.row < facts.rows) scrollTo(to.row)
    scrollAcross(frame.current, to.column)
  }
  return { active, setActive, onKeyDown }
}

/** Brings a column out from under the sticky tree. */
function scrollAcross(frame: HTMLElement | null, column: number): void {
  const heads = frame?.querySelectorAll<HTMLElement>('thead th')
  const head = heads?.[column]
  const tree = heads?.[0]
  if (!frame || !head || !tree) return
  if (column === 0) {
    frame.scrollLeft = 0
    return
  }
  const left = head.offsetLeft - tree.offsetWidth
  const right = head.offsetLeft + head.offsetWidth - frame.clientWidth
  if (frame.scrollLeft > left) frame.scrollLeft = left
  else if (frame.scrollLeft < right) frame.scrollLeft = right
}
