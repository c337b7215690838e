// The state of a statement. An open dispute is shown instead of it.
import { useLabels } from '../../i18n/labels.ts'
import { StateBadge, toneOf } from '../../ui/state-badge.tsx'
import type { Statement } from './statement-row.ts'

export function StatementBadge({ statement }: { statement: Pick<Statement, 'state' | 'disputed_at'> }) {
  const labels = useLabels()
  if (statement.disputed_at !== null)
    return <StateBadge tone="warning">{labels.field('statement', 'disputed_at')}</StateBadge>
  return <StateBadge tone={toneOf(statement.state)}>{labels.choice('statement', 'state', statement.state)}</StateBadge>
}
