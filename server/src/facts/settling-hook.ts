// Where the part that knows visitors leaves how clicks of several trackers are settled among each other on their way to ClickHouse.

import { createSlot } from '../lib/slot.ts'

/** The first and the last click of one writer in a batch. */
export interface ClickSpan {
  readonly writer: number
  readonly first: string
  readonly last: string
}

/** Takes lines in the order of their ids and answers them as they shall be kept. The same lines may come again. */
export type SettleClicks = (lines: Buffer, spans: readonly ClickSpan[]) => Promise<Buffer>

/** Makes one for a loader that begins: what it remembers is what that loader has seen. */
export const settlingHook = createSlot<() => SettleClicks>('how clicks of several trackers are settled')
