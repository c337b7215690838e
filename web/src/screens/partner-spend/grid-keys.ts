// What a key does in the spend grid while no cell is typed in. Pure.

import { keyLetter } from '../../lib/key-letter.ts'
import type { GridPlace, GridRange } from './grid-model.ts'

export type GridStep =
  | { readonly act: 'go'; readonly to: GridPlace; readonly extend: boolean }
  /** Null: the input starts with what the cell holds. */
  | { readonly act: 'type'; readonly text: string | null }
  | { readonly act: 'clear' | 'fill' | 'undo' | 'redo' | 'save' | 'all' | 'leave' }

interface Pressed {
  readonly key: string
  readonly code: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly shiftKey: boolean
  readonly altKey: boolean
}

interface GridSight {
  readonly active: GridPlace
  readonly range: GridRange
  readonly rows: number
  readonly days: number
  readonly pageRows: number
}

/** Null: the browser handles the key. */
export function stepFor(pressed: Pressed, sight: GridSight): GridStep | null {
  const { key, shiftKey: extend, altKey } = pressed
  const isControl = pressed.ctrlKey || pressed.metaKey
  if (isControl) return controlStep(keyLetter(pressed), extend, sight)
  if (altKey) return null
  const { row, day } = sight.active
  const go = (to: GridPlace, isExtending = extend): GridStep => ({ act: 'go', to, extend: isExtending })
  switch (key) {
    case 'ArrowDown':
      return go({ row: row + 1, day })
    case 'ArrowUp':
      return go({ row: row - 1, day })
    case 'ArrowRight':
      return go({ row, day: day + 1 })
    case 'ArrowLeft':
      return go({ row, day: day - 1 })
    case 'PageDown':
      return go({ row: row + sight.pageRows, day })
    case 'PageUp':
      return go({ row: row - sight.pageRows, day })
    case 'Home':
      return go({ row, day: 0 })
    case 'End':
      return go({ row, day: sight.days - 1 })
    case 'Tab':
      return tabStep(extend, sight)
    case 'Enter':
    case 'F2':
      return { act: 'type', text: null }
    case 'Delete':
    case 'Backspace':
      return { act: 'clear' }
    case 'Escape':
      return { act: 'leave' }
    default:
      return key.length === 1 && key !== ' ' ? { act: 'type', text: key } : null
  }
}

/** To the next cell, and from the last cell of a row to the next row; at the ends of the table Tab leaves it. */
function tabStep(isBack: boolean, { active: { row, day }, rows, days }: GridSight): GridStep | null {
  const at = row * days + day + (isBack ? -1 : 1)
  if (at < 0 || at >= rows * days) return null
  return { act: 'go', to: { row: Math.floor(at / days), day: at % days }, extend: false }
}

function controlStep(key: string, extend: boolean, { active, rows, days }: GridSight): GridStep | null {
  switch (key) {
    case 'z':
      return { act: extend ? 'redo' : 'undo' }
    case 'y':
      return { act: 'redo' }
    case 'd':
      return { act: 'fill' }
    case 's':
      return { act: 'save' }
    case 'a':
      return { act: 'all' }
    case 'home':
      return { act: 'go', to: { row: 0, day: 0 }, extend }
    case 'end':
      return { act: 'go', to: { row: rows - 1, day: days - 1 }, extend }
    case 'arrowdown':
      return { act: 'go', to: { row: rows - 1, day: active.day }, extend }
    case 'arrowup':
      return { act: 'go', to: { row: 0, day: active.day }, extend }
    case 'arrowright':
      return { act: 'go', to: { row: active.row, day: days - 1 }, extend }
    case 'arrowleft':
      return { act: 'go', to: { row: active.row, day: 0 }, extend }
    default:
      return null
  }
}
