// Shows a state as a word in a small coloured badge; the colour only repeats the word.
import type { ReactNode } from 'react'
import classes from './state-badge.module.css'

export type Tone = 'positive' | 'negative' | 'warning' | 'accent' | 'neutral'

/** The tone of each choice of entities; unlisted choices are neutral. */
const TONES: Readonly<Record<string, Tone>> = {
  approved: 'positive',
  unapproved: 'warning',
  not_approved: 'negative',
  qualified: 'positive',
  unqualified: 'neutral',
  lost: 'negative',
  unique: 'accent',
  duplicate: 'neutral',
  accepted: 'positive',
  sent: 'positive',
  paid: 'positive',
  partly_paid: 'accent',
  queued: 'accent',
  rejected: 'negative',
  void: 'negative',
  refused: 'negative',
  failed: 'negative',
  pending: 'warning',
  success: 'positive',
  warnings: 'warning',
  processing: 'accent',
  in: 'accent',
  out: 'neutral',
}

export const toneOf = (option: string): Tone => TONES[option] ?? 'neutral'

export function StateBadge({ tone, children }: { tone: Tone; children: ReactNode }) {
  return <span className={`${classes.badge} ${classes[tone]}`}>{children}</span>
}
