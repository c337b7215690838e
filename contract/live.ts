// Live events (GET events) notify open screens of changes. They carry keys, never rows: screens load rows through ordinary calls, which apply
// access and scope.
import { leadersOr, type Requirement } from './access.ts'
import type { EntityName } from './entities/registry.ts'

/** Payload of each topic. With its audience a message must stay below 8000 bytes, the limit of NOTIFY. */
export interface LivePayloads {
  /** The user's permissions or scope changed; the screen reloads the profile. */
  permissions: Record<string, never>
  /** Facts of reports are being recomputed, or are current again. */
  report_cache: { reports?: readonly string[] }
  /** Someone opened, saved or left a record. */
  editing: { entity: EntityName; id: number }
  click: { ids: readonly string[] }
  postback: { ids: readonly number[] }
  /** Progress of the user's own long job: `done` of `total`, if known. */
  job: {
    job: string
    id: string
    state: 'waiting' | 'running' | 'done' | 'failed'
    done?: number
    total?: number
    message?: string
  }
  /** Build of the screens that the server serves; sent first on every connection. */
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
 * Narrows the receivers of one message among those allowed to receive its topic.
 * - partner: users who see rows of that partner; null = a row without a partner, for users who see all rows
 * - entity: users who may view the entity and see that row
 */
export type LiveAudience =
  | { readonly everyone: true }
  | { readonly users: readonly number[] }
  | { readonly role: number }
  | { readonly partner: number | null }
  | { readonly entity: EntityName; readonly id: number }

/** A live event with its receivers. */
export interface LiveMessage<T extends LiveTopic = LiveTopic> {
  readonly topic: T
  readonly payload: LivePayloads[T]
  readonly to: LiveAudience
}
