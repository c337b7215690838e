// The state of the spend grid: edits with undo and redo, the active cell, the selected range, and the cell being typed in.

import type { SpendTable } from '@tributary/contract/calls/spend-table'
import { useCallback, useMemo, useReducer } from 'react'
import type { DecimalSign } from '../../lib/read-amounts.ts'
import {
  type Edits,
  enterTexts,
  type GivenText,
  type GridPlace,
  type GridRange,
  NO_EDITS,
  rangeBetween,
} from './grid-model.ts'

const UNDO_STEPS = 100

interface GridState {
  readonly edits: Edits
  readonly past: readonly Edits[]
  readonly future: readonly Edits[]
  readonly active: GridPlace
  /** The other corner of the selected range. */
  readonly anchor: GridPlace
  /** What the input starts with; null while no cell is typed in. */
  readonly typing: string | null
  /** What the input holds now, for the totals; null while it is as it was. */
  readonly draft: string | null
}

const START: GridState = {
  edits: NO_EDITS,
  past: [],
  future: [],
  active: { row: 0, day: 0 },
  anchor: { row: 0, day: 0 },
  typing: null,
  draft: null,
}

type GridAction =
  | { readonly do: 'enter'; readonly edits: Edits; readonly select?: GridRange | undefined }
  | { readonly do: 'undo' | 'redo' }
  | { readonly do: 'go'; readonly to: GridPlace; readonly extends: boolean }
  | { readonly do: 'type' | 'draft'; readonly text: string | null }
  | { readonly do: 'open'; readonly at: GridPlace }
  | { readonly do: 'reset'; readonly edits: Edits; readonly before?: Edits | undefined }

const NOT_TYPING = { typing: null, draft: null }

function reduce(state: GridState, action: GridAction): GridState {
  const { edits, past, future } = state
  switch (action.do) {
    case 'enter': {
      const { select } = action
      const sight = select === undefined ? {} : { anchor: select.from, active: select.to }
      return {
        ...state,
        ...sight,
        edits: action.edits,
        past: [...past.slice(1 - UNDO_STEPS), edits],
        future: [],
        ...NOT_TYPING,
      }
    }
    case 'undo': {
      const before = past.at(-1)
      return before === undefined
        ? state
        : { ...state, edits: before, past: past.slice(0, -1), future: [...future, edits] }
    }
    case 'redo': {
      const after = future.at(-1)
      return after === undefined
        ? state
        : { ...state, edits: after, past: [...past, edits], future: future.slice(0, -1) }
    }
    case 'go':
      return { ...state, active: action.to, anchor: action.extends ? state.anchor : action.to, ...NOT_TYPING }
    case 'open':
      return { ...START, active: action.at, anchor: action.at }
    case 'type':
      return { ...state, typing: action.text, draft: null }
    case 'draft':
      return { ...state, draft: action.text }
    case 'reset':
      return {
        ...state,
        edits: action.edits,
        past: action.before === undefined ? [] : [action.before],
        future: [],
        ...NOT_TYPING,
      }
  }
}

export interface SpendGrid extends GridState {
  readonly range: GridRange
  enter(given: readonly GivenText[], sign?: DecimalSign, select?: GridRange): void
  /** Replaces all edits; can be undone. */
  replace(edits: Edits): void
  undo(): void
  redo(): void
  /** Stays within the table. */
  go(to: GridPlace, extend?: boolean): void
  /** Another table is shown: nothing of the former one is left. */
  open(at: GridPlace): void
  /** Null ends typing without a change. */
  type(text: string | null): void
  /** What the input holds, while it is typed in. */
  readonly draftText: (text: string) => void
  /** `before`: what Undo leads back to. */
  reset(edits: Edits, before?: Edits): void
}

export function useSpendGrid(table: Pick<SpendTable, 'rows' | 'days'>): SpendGrid {
  const [state, dispatch] = useReducer(reduce, START)
  const { rows, days } = table
  const clamp = useCallback(
    ({ row, day }: GridPlace): GridPlace => ({
      row: Math.min(Math.max(row, 0), Math.max(0, rows.length - 1)),
      day: Math.min(Math.max(day, 0), days.length - 1),
    }),
    [rows.length, days.length],
  )
  // Rows are memoized: what they get must stay the same.
  const draftText = useCallback((text: string) => dispatch({ do: 'draft', text }), [])
  return useMemo(
    () => ({
      ...state,
      range: rangeBetween(clamp(state.anchor), clamp(state.active)),
      enter: (given, sign = null, select) =>
        dispatch({
          do: 'enter',
          edits: enterTexts(state.edits, rows, given, sign),
          select: select && { from: clamp(select.from), to: clamp(select.to) },
        }),
      replace: (edits) => dispatch({ do: 'enter', edits }),
      undo: () => dispatch({ do: 'undo' }),
      redo: () => dispatch({ do: 'redo' }),
      go: (to, extend = false) => dispatch({ do: 'go', to: clamp(to), extends: extend }),
      open: (at) => dispatch({ do: 'open', at }),
      type: (text) => dispatch({ do: 'type', text }),
      draftText,
      reset: (edits, before) => dispatch({ do: 'reset', edits, before }),
    }),
    [state, rows, clamp, draftText],
  )
}
