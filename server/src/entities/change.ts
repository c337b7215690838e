// A change as rules see it: what was, what will be, and how to refuse.

import type { Issue } from '@tributary/contract/validate'
import type { IssueTree } from '../lib/app-error.ts'
import type { Change } from './rules.ts'

export function makeChange(given: Omit<Change, 'valueOf' | 'refuse'>, issues: IssueTree): Change {
  const { values, before } = given
  return {
    ...given,
    valueOf: (field) => (Object.hasOwn(values, field) ? values[field] : before?.[field]),
    refuse: (field, key, said) => addIssue(issues, field, said === undefined ? { key } : { key, values: said }),
  }
}

export function addIssue(issues: IssueTree, field: string, issue: Issue): void {
  const there = issues[field]
  if (there === undefined) issues[field] = [issue]
  else if (Array.isArray(there) && !there.some((other: Issue) => other.key === issue.key))
    issues[field] = [...there, issue]
}
