// Converts zod's issues into issues by field with the product's message keys.

import { ISSUES_LISTED } from '@tributary/contract/limits'
import type { Issue } from '@tributary/contract/validate'
import { en } from '@tributary/contract/words/en/messages'
import type { MessageKey } from '@tributary/contract/words/messages'
import type { core } from 'zod'
import type { ErrorDetails, IssueTree } from '../lib/app-error.ts'

type ZodIssue = core.$ZodIssue

/** Longer names of unknown fields are cut, because the answer repeats them. */
const NAME_CAP = 100

/** Collects the first issues and counts the others. Two checks of one field may find the same. */
export function collectIssues(found: readonly ZodIssue[]): Pick<ErrorDetails, 'issues' | 'omitted'> {
  const tree: IssueTree = {}
  const general: Issue[] = []
  const seen = new Set<string>()
  let count = 0
  for (const issue of found) {
    for (const path of pathsOf(issue)) {
      const described = describe(issue)
      const mark = JSON.stringify([path, described])
      if (seen.has(mark)) continue
      count++
      if (count > ISSUES_LISTED) continue
      seen.add(mark)
      if (path.length === 0) general.push(described)
      else addIssue(tree, path, described)
    }
    count += omittedBy(issue)
  }
  return {
    issues: Object.keys(tree).length === 0 ? general : tree,
    ...(count > ISSUES_LISTED && { omitted: count - ISSUES_LISTED }),
  }
}

/** Issues that `listOf` has counted instead of listing. */
const omittedBy = (issue: ZodIssue): number =>
  issue.code === 'custom' && typeof issue.params?.omitted === 'number' ? issue.params.omitted : 0

/** Paths of an issue. Each unknown field gets a path; zod reports only the object that contains them. */
function pathsOf(issue: ZodIssue): string[][] {
  const path = issue.path.map((name) => String(name).slice(0, NAME_CAP))
  return issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...path, key.slice(0, NAME_CAP)]) : [path]
}

function addIssue(tree: IssueTree, path: string[], issue: Issue): void {
  let node = tree
  for (const name of path.slice(0, -1)) {
    const next = Object.hasOwn(node, name) ? node[name] : undefined
    if (isList(next)) return
    node = next ?? addNode(node, name)
  }
  const last = path.at(-1) ?? ''
  const existing = Object.hasOwn(node, last) ? node[last] : undefined
  if (existing === undefined || isList(existing)) define(node, last, [...(existing ?? []), issue])
}

function addNode(node: IssueTree, name: string): IssueTree {
  const next: IssueTree = {}
  define(node, name, next)
  return next
}

/** Defines even `__proto__`, which the sender may have named, as a plain field. */
function define(node: IssueTree, name: string, value: IssueTree[string]): void {
  Object.defineProperty(node, name, { value, enumerable: true, writable: true, configurable: true })
}

const isList = (value: IssueTree[string] | undefined): value is readonly Issue[] => Array.isArray(value)

function describe(issue: ZodIssue): Issue {
  if (Object.hasOwn(en, issue.message))
    return withValues(issue.message as MessageKey, 'params' in issue ? issue.params : undefined)
  switch (issue.code) {
    case 'invalid_type':
      return { key: issue.message.endsWith('received undefined') ? 'required' : 'value_invalid' }
    case 'unrecognized_keys':
      return { key: 'unknown_field' }
    case 'invalid_value':
      return { key: 'choice_unknown' }
    case 'too_big':
      return { key: issue.origin === 'string' ? 'max_length' : 'max_value', values: { max: Number(issue.maximum) } }
    case 'too_small':
      return { key: issue.origin === 'string' ? 'min_length' : 'min_value', values: { min: Number(issue.minimum) } }
    case 'invalid_format':
      return {
        key: issue.format === 'email' ? 'email_invalid' : issue.format === 'url' ? 'url_invalid' : 'value_invalid',
      }
    case 'custom':
    case 'invalid_element':
    case 'invalid_key':
    case 'invalid_union':
    case 'not_multiple_of':
      return { key: 'value_invalid' }
  }
}

/** The product's own rules write the message key into `message` and its values into `params`. */
const withValues = (key: MessageKey, params: Record<string, string | number> | undefined): Issue =>
  params === undefined ? { key } : { key, values: params }
