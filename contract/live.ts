// What the server tells an open screen without being asked (GET events): keys, never rows. Whoever hears one asks for the rows by the
// ordinary calls, where access and scope are applied once more. Closed by default: a topic says who may hear it.
import { leadersOr, type Requirement } from './access.ts'
import type { EntityName } from './entities/registry.ts'

/** What each topic carries. Together with its audience a message stays below 8000 bytes. */
export interface LivePayloads {
  /** What the hearer may do or see has changed: the profile is read again. */
  permissions: Record<string, never>
  /** What a report shows is being recomputed, or is current again. */
  report_cache: { reports?: readonly string[] }
  /** Someone has opened, saved or left a record. */
  editing: { entity: EntityName; id: number }
  click: { ids: readonly string[] }
  postback: { ids: readonly number[] }
  /** A long job of the hearer's own: `done` of `total`, if that is known. */
  job: {
    job: string
    id: string
    state: 'waiting' | 'running' | 'done' | 'failed'
    done?: number
    total?: number
    message?: string
  }
  /** Which build of the screens the server holds: said first on every connection. */
  version: { version: string }
}

export type LiveTopic = keyof LivePayloads

export const LIVE_TOPICS = {
  permissions: 'everyone',
  report_cache: 'everyone',
  editing: 'everyone',
  click: leadersOr('click'),
  postback: 'everyone',
  job: 'everyone',
  version: 'everyone',
} as const satisfies Record<LiveTopic, Requirement>

export const LIVE_TOPIC_NAMES = Object.keys(LIVE_TOPICS) as readonly LiveTopic[]

/**
 * Who of those that may hear a topic hears this message.
 * - partner: those who see rows of that partner; null = a row of no partner, seen by those who see all
 * - entity: those who may view the entity and see that row
 */
export type LiveAudience =
  | { readonly everyone: true }
  | { readonly users: readonly number[] }
  | { readonly role: number }
  | { readonly partner: number | null }
  | { readonly entity: EntityName; readonly id: number }

export interface LiveMessage<T extends LiveTopic = LiveTopic> {
  readonly topic: T
  readonly payload: LivePayloads[T]
  readonly to: LiveAudience
}
