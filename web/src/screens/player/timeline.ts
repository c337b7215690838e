// What the server tells of a player, as the contract says it.
import type { PlayerTimeline } from '@tributary/contract/calls/player'

export type Timeline = PlayerTimeline
export type TimelineEntry = Timeline['entries'][number]
export type Qualification = NonNullable<Timeline['qualification']>
export type Rule = Qualification['rules'][number]
