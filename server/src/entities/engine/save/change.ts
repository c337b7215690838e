// Builds the change that rules see.

import type { Issue } from '@tributary/contract/validate'
import type { MessageKey } from '@tributary/contract/words/messages'
import type { IssueTree } from '../../../lib/app-error.ts'
import type { Change } from '../model/entity-rules.ts'

/** Errors that rules add go into `issues`. */
export function makeChange(given: Omit<Change, 'valueOf' | 'refuse' | 'note' | 'notices'>, issues: IssueTree): Change {
  const { values, before } = given
  const notices: MessageKey[] = []
  return {
    ...given,
    valueOf: (field) => (Object.hasOwn(values, field) ? values[field] : before?.[field]),
    refuse: (field, key, said, mend) =>
      addIssue(issues, field, { key, ...(said && { values: said }), ...(mend && { mend }) }),
    notices,
    note: (key) => void notices.push(key),
  }
}

/** Adds an issue to a field, unless the field has one with the same key. */
export function addIssue(issues: IssueTree, field: string, issue: Issue): void {
  const there = issues[field]
  if (there === undefined) issues[field] = [issue]
  else if (Array.isArray(there) && !there.some((other: Issue) => other.key === issue.key))
    issues[field] = [...there, issue]
}
