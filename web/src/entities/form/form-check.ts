// Finds what is wrong with a form before it is sent: the contract's own checks, over the row and over every row of its collections.
import type { EntityName } from '@tributary/contract/entities/registry'
import { checkField, type Issue } from '@tributary/contract/validate'
import { entityName } from '../field/field-at.ts'
import { rowsOf } from './form-change.ts'
import { type FormRow, isNewChild, toWireValue, writableFields } from './form-row.ts'

/** The first thing wrong at each path of the form: 'rates.2.date'. */
export type FormIssues = Record<string, Issue>

export function checkForm(name: EntityName, values: FormRow, creating: boolean, by = '', path = ''): FormIssues {
  const found: FormIssues = {}
  for (const [field, declared] of writableFields(name, creating, by)) {
    const here = `${path}${field}`
    if (declared.kind !== 'children') {
      const [issue] = checkField(declared, toWireValue(declared, values[field]))
      if (issue) found[here] = issue
      continue
    }
    for (const [index, row] of rowsOf(values[field]).entries()) {
      if (row._status === 'deleted') continue
      const inner = checkForm(entityName(declared.of), row, isNewChild(row), declared.by, `${here}.${index}.`)
      Object.assign(found, inner)
    }
  }
  return found
}

/** Sections in which something is wrong, or in which a required field is still empty. */
export function sectionsAt(
  sections: readonly { readonly name: string; readonly fields: readonly string[] }[],
  paths: readonly string[],
): Map<string, number> {
  const counts = new Map<string, number>()
  for (const path of paths) {
    const [field = ''] = path.split('.')
    const section = sections.find(({ fields }) => fields.includes(field))
    if (section) counts.set(section.name, (counts.get(section.name) ?? 0) + 1)
  }
  return counts
}
