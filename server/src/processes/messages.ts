// Messages between the supervisor and its processes.
import type { Config } from '../config.ts'
import type { ProcessReport } from '../lib/process-report.ts'

export type ToProcess =
  /** The first message. `name` is in each line of the process's log; `socketPath` is where the process behind the trackers listens. */
  | { readonly kind: 'start'; readonly name: string; readonly config: Config; readonly socketPath: string }
  /** Close each connection after its next answer. */
  | { readonly kind: 'drain' }
  | { readonly kind: 'stop' }
  | { readonly kind: 'report'; readonly from: string; readonly report: ProcessReport }

export type FromProcess =
  /** It serves. `times` are the seconds of each stage of the start. */
  | { readonly kind: 'ready'; readonly times?: Readonly<Record<string, number>> }
  /** It cannot start, and ends. */
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'report'; readonly report: ProcessReport }
