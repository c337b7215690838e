// Explains the trace of a click or player by verdict codes, for which the screen has words.

import type { TraceVerdict } from '@tributary/contract/calls/trace'

export interface TracedOut {
  readonly event: string
  readonly status: string
  readonly reason: string | null
  /** ISO 8601. */
  readonly at: string
  readonly nextAt: string | null
  readonly attempts: number
}

export interface TracedStory {
  /** Retention has deleted the clicks of its month. */
  readonly isClickDeleted: boolean
  readonly click: { readonly isBot: boolean; readonly canonicalId: string | null } | null
  readonly player: {
    readonly isAttributed: boolean
    readonly registeredAt: string | null
    readonly firstDepositAt: string | null
    readonly qualifiedAt: string | null
    readonly qualification: string
  } | null
  readonly rejected: readonly { readonly reason: string | null; readonly at: string }[]
  readonly outs: readonly TracedOut[]
  /** The creation times of the partner's current URLs, in ISO 8601. */
  readonly urls: readonly string[]
}

export interface Verdict {
  code: TraceVerdict
  tone: 'positive' | 'negative' | 'warning' | 'neutral'
  values: {
    event?: string | undefined
    reason?: string | undefined
    at?: string | undefined
    url_at?: string | undefined
    count?: number | undefined
  }
}

export function judge(story: TracedStory): Verdict[] {
  const verdicts: Verdict[] = []
  const { click, player, rejected } = story
  if (story.isClickDeleted) verdicts.push({ code: 'click_deleted', tone: 'neutral', values: {} })
  if (click?.isBot) verdicts.push({ code: 'bot', tone: 'warning', values: {} })
  else if (click?.canonicalId) verdicts.push({ code: 'duplicate_click', tone: 'neutral', values: {} })
  const last = rejected.at(-1)
  if (last !== undefined) {
    const values = { reason: last.reason ?? undefined, at: last.at, count: rejected.length }
    verdicts.push({ code: 'refused', tone: 'negative', values })
  }
  if (player === null) {
    if (last === undefined && !story.isClickDeleted) verdicts.push({ code: 'no_events', tone: 'neutral', values: {} })
    return verdicts
  }
  if (!player.isAttributed) return [...verdicts, { code: 'unattributed', tone: 'warning', values: {} }]
  const happened: [string, string | null][] = [
    ['reg', player.registeredAt],
    ['ftd', player.firstDepositAt],
    ['bl', player.qualifiedAt],
  ]
  for (const [event, at] of happened) if (at !== null) verdicts.push(judgeEvent(event, at, story))
  if (player.qualification === 'lost') verdicts.push({ code: 'lost', tone: 'warning', values: {} })
  else if (player.qualifiedAt === null) verdicts.push({ code: 'not_qualified', tone: 'neutral', values: {} })
  return verdicts
}

/** The verdict on one event. The best outcome counts, so one reached URL is enough. */
function judgeEvent(event: string, at: string, { outs, urls }: TracedStory): Verdict {
  const of = outs.filter((out) => out.event === event)
  const sent = of.find(({ status }) => status === 'sent')
  if (sent !== undefined)
    return { code: 'told', tone: 'positive', values: { event, at: sent.at, count: sent.attempts } }
  const waiting = of.find(({ status }) => status === 'pending')
  if (waiting !== undefined) {
    const values = {
      event,
      at: waiting.nextAt ?? waiting.at,
      count: waiting.attempts,
      reason: waiting.reason ?? undefined,
    }
    return { code: 'waiting', tone: 'warning', values }
  }
  const failed = of.find(({ status }) => status === 'failed')
  if (failed !== undefined) {
    const values = { event, count: failed.attempts, reason: failed.reason ?? undefined, at: failed.at }
    return { code: 'failed', tone: 'negative', values }
  }
  const skipped = of.find(({ status }) => status === 'skipped')
  const first = [...urls].sort((a, b) => a.localeCompare(b))[0]
  if (first !== undefined && first > at && skipped?.reason !== 'event_not_selected') {
    return { code: 'url_added_later', tone: 'negative', values: { event, at, url_at: first } }
  }
  const reason = skipped?.reason ?? (urls.length === 0 ? 'no_url' : undefined)
  return { code: 'not_told', tone: 'negative', values: { event, at, reason } }
}
