// Which of the files that somebody has chosen may be sent, and what is said of the others.
import type { UploadRule } from '@tributary/contract/upload'
import { isAccepted, MEGABYTE } from '@tributary/contract/upload'
import type { Issue } from '@tributary/contract/validate'

export interface Chosen<F> {
  readonly accepted: readonly F[]
  readonly issues: readonly Issue[]
}

/** `there`: how many files the place holds already. More than the limit at once, and none is taken: nobody should guess which. */
export function checkFiles<F extends { readonly name: string; readonly size: number }>(
  files: readonly F[],
  { rule, limit, there }: { rule: UploadRule; limit: number; there: number },
): Chosen<F> {
  if (files.length + there > limit) return { accepted: [], issues: [{ key: 'file_limit', values: { count: limit } }] }
  const issues: Issue[] = []
  const accepted = files.filter((file) => {
    const issue = issueOf(file, rule)
    if (issue !== null) issues.push(issue)
    return issue === null
  })
  return { accepted, issues }
}

function issueOf({ name, size }: { name: string; size: number }, rule: UploadRule): Issue | null {
  if (!isAccepted(name, rule)) return { key: 'file_type_invalid', values: { types: rule.extensions.join(', ') } }
  if (size === 0) return { key: 'file_empty' }
  if (size <= rule.maxBytes) return null
  return { key: 'file_too_large', values: { size: Math.floor(rule.maxBytes / MEGABYTE) } }
}
