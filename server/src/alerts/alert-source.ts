// Declaration of a source of alerts: it finds alerts of some kinds among the rows that a viewer sees.

import type { RoleKind } from '@tributary/contract/access'
import type { AlertName } from '@tributary/contract/alerts'
import type { EntityName } from '@tributary/contract/entities/registry'
import type { Language } from '@tributary/contract/language'
import type { Services } from '../services.ts'

/** Users with the same role, visible partners, group filter and language see the same alerts, apart from kinds that need a permission. */
export interface AlertViewer {
  readonly role: RoleKind
  /** Ids of the visible partners; null for all. */
  readonly partners: readonly number[] | null
  /** The group that an admin has chosen to see; null for none, and in mails. */
  readonly groupFilter: number | null
  readonly language: Language
}

export interface AlertRecord {
  readonly entity: EntityName
  readonly id: number
}

export interface FoundAlert {
  readonly alert: AlertName
  /** Names it among the alerts of its kind. */
  readonly subject: string
  /** A digest of what it states, too coarse to change with every click: a dismissed alert comes back when it changes. */
  readonly facts: string
  /** How many things it is about; absent: one. */
  readonly count?: number
  /** What it is about. */
  readonly title: string
  /** Placeholders of the sentence. */
  readonly values: Readonly<Record<string, string | number>>
  /** The records that it concerns: their overviews list it among their open tasks. */
  readonly about?: readonly AlertRecord[]
  /** Path and query of the screen that shows it. */
  readonly address: string
  /** Alerts of one kind are sorted by it, the largest first. */
  readonly weight: number
}

/** Finds alerts of all its kinds. `today` is the business day. */
export type AlertSource = (
  viewer: AlertViewer,
  today: string,
  services: Services,
  signal: AbortSignal,
) => Promise<FoundAlert[]>
