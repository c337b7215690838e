// What a noun adds to the form that the registry gives it: narrowed options, further checks, sections of its own.
import type { Condition } from '@tributary/contract/list-query'
import type { ComponentType } from 'react'
import { createContext, useContext } from 'react'
import type { FormIssues } from './form-check.ts'
import type { FormRow } from './form-row.ts'

export interface FieldParts {
  /** The options of a reference are those that meet these. */
  readonly conditions?: readonly Condition[]
  /** Only options whose `path` is what `field` of the form refers to; until that is chosen, nothing can be. */
  readonly dependsOn?: { readonly field: string; readonly path: string }
}

export interface SectionProps {
  /** The row as it was read; null when one is being made. */
  row: Readonly<Record<string, unknown>> | null
}

export interface FormParts {
  /** By path without indexes: 'partner_partner_groups.managers.user'. */
  readonly fields?: Readonly<Record<string, FieldParts>>
  /** Above the fields of a section. */
  readonly above?: Readonly<Record<string, ComponentType<SectionProps>>>
  /** Instead of the fields of a section. */
  readonly sections?: Readonly<Record<string, ComponentType<SectionProps>>>
  readonly check?: (values: FormRow) => FormIssues
  /** What a new row starts with, beside the empty values. */
  readonly initial?: FormRow
}

export const NO_PARTS: FormParts = {}
export const FormPartsContext = createContext<FormParts>(NO_PARTS)

export function useFieldParts(path: string): FieldParts {
  const { fields } = useContext(FormPartsContext)
  return fields?.[path.replace(/\.\d+(?=\.|$)/g, '')] ?? {}
}

/** Fields whose options depend on this one: a new choice here makes theirs void. */
export function useDependents(path: string): readonly string[] {
  const { fields = {} } = useContext(FormPartsContext)
  return Object.entries(fields).flatMap(([name, { dependsOn }]) => (dependsOn?.field === path ? [name] : []))
}
