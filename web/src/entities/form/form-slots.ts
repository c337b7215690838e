// Slots of a form that a noun fills: narrowed options, further checks, components around a section.

import type { RoleKind } from '@tributary/contract/access'
import type { ErrorReply } from '@tributary/contract/error'
import type { Condition } from '@tributary/contract/list-query'
import { type ComponentType, createContext, useContext } from 'react'
import type { Dictionary } from '../../i18n/shape.ts'
import type { FieldInputProps } from '../field/field-input.tsx'
import type { Row } from '../list/list-query.ts'
import type { FormIssues } from './form-change.ts'
import type { FormRow } from './form-row.ts'

export interface FieldSlots {
  /** The options of a reference are those that meet these. */
  readonly conditions?: readonly Condition[] | (() => readonly Condition[])
  /** Only options whose `path` is what `field` of the form refers to; until that is chosen, nothing can be. */
  readonly dependsOn?: { readonly field: string; readonly path: string }
  /** Takes the place of the input that the field's kind asks for. */
  readonly input?: ComponentType<FieldInputProps>
  /** What a new row starts with here. */
  readonly initial?: unknown
  /** Left empty in a new row, the server fills it; the words say from where. */
  readonly filledBy?: (words: Dictionary['nouns']) => string
  /** On the button that adds a row to this collection, where its noun's own word is another side's. */
  readonly add?: (words: Dictionary['nouns']) => string
}

export interface SectionProps {
  /** The row as it was read; null when one is being made. */
  row: Readonly<Record<string, unknown>> | null
}

export interface FormSlots {
  /** By path without indexes: 'partner_partner_groups.managers.user'. */
  readonly fields?: Readonly<Record<string, FieldSlots>>
  /** Above the fields of a section. */
  readonly above?: Readonly<Record<string, ComponentType<SectionProps>>>
  readonly below?: Readonly<Record<string, ComponentType<SectionProps>>>
  /** In the header, beside Save. */
  readonly actions?: ComponentType<SectionProps>
  /** What is wrong beside what the contract checks. */
  readonly check?: (values: FormRow) => FormIssues
  /** What the page of a row is called. */
  readonly title?: (row: Row) => string
}

/** What the server found wrong with the last save, by stable codes, and the values that it judged. */
export interface Refusal {
  readonly reasons: NonNullable<ErrorReply['reasons']>
  readonly values: FormRow
}
export const RejectionContext = createContext<Refusal | null>(null)

export const NO_SLOTS: FormSlots = {}
export const FormSlotsContext = createContext<FormSlots>(NO_SLOTS)

const NO_FIELD_SLOTS: FieldSlots = {}

export function useFieldSlots(path: string): FieldSlots {
  const { fields } = useContext(FormSlotsContext)
  return fields?.[withoutIndexes(path)] ?? NO_FIELD_SLOTS
}

const withoutIndexes = (path: string) => path.replace(/\.\d+(?=\.|$)/g, '')

/** What new rows start with: at the root (''), or in the collection at a path. */
export function initialOf({ fields = {} }: FormSlots, path = ''): FormRow {
  const prefix = path === '' ? '' : `${withoutIndexes(path)}.`
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, { initial }]) => {
      const own = name.startsWith(prefix) ? name.slice(prefix.length) : '.'
      return initial === undefined || own.includes('.') ? [] : [[own, initial]]
    }),
  )
}

/** Fields whose options depend on this one: a new choice here makes theirs void. */
export function useDependents(path: string): readonly string[] {
  const { fields = {} } = useContext(FormSlotsContext)
  return Object.entries(fields).flatMap(([name, { dependsOn }]) => (dependsOn?.field === path ? [name] : []))
}

/** People with this role who may sign in. */
const enabledPeople = (kind: RoleKind): FieldSlots => ({
  conditions: [
    { path: 'role.kind', operator: 'eq', values: [kind] },
    { path: 'enabled', operator: 'eq', values: ['1'] },
  ],
})

export const MANAGERS = enabledPeople('MANAGER')
export const LEADERS = enabledPeople('TEAM_LEADER')
