// Declaration of a source of alerts: it finds alerts of some kinds among the rows that a viewer sees.

import type { AccessHolder } from '@tributary/contract/access'
import type { AlertName } from '@tributary/contract/alerts'
import type { Language } from '@tributary/contract/language'
import type { RequestContext } from '../entities/engine/model/request-context.ts'
import type { Services } from '../services.ts'

/** For whom alerts are found: a caller, or the recipient of a mail. */
export interface AlertViewer extends AccessHolder {
  readonly language: Language
  readonly rows: Pick<RequestContext, 'engines' | 'partners' | 'scopeOf'>
}

export interface FoundAlert {
  readonly alert: AlertName
  /** What it is about. */
  readonly title: string
  /** Placeholders of the sentence. */
  readonly values: Readonly<Record<string, string | number>>
  /** Path and query of the screen that shows it. */
  readonly address: string
  /** Alerts of one kind are sorted by it, the largest first. */
  readonly weight: number
}

export interface AlertSource {
  readonly alerts: readonly AlertName[]
  /** `today` is the business day. */
  find(viewer: AlertViewer, today: string, services: Services, signal: AbortSignal): Promise<FoundAlert[]>
}
