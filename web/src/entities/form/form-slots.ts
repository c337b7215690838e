// Slots of a form that an entity's screen fills: filtered options, further checks, components around a section.

import type { RoleKind } from '@tributary/contract/access'
import type { ErrorReply } from '@tributary/contract/error'
import type { Condition } from '@tributary/contract/list-query'
import { type ComponentType, createContext, useContext } from 'react'
import type { Dictionary } from '../../i18n/shape.ts'
import type { FieldInputProps } from '../field/field-input.tsx'
import type { Row } from '../list/list-query.ts'
import type { FormIssues } from './form-change.ts'
import type { FormRow } from './form-row.ts'

/** What a screen changes about one field of a form. */
export interface FieldSlots {
  /** Only rows that meet these conditions are options of the reference. */
  readonly conditions?: readonly Condition[] | (() => readonly Condition[])
  /** Only rows whose `path` equals the reference in `field` are options; without it there are none. */
  readonly dependsOn?: { readonly field: string; readonly path: string }
  /** Replaces the default input of the field's kind. */
  readonly input?: ComponentType<FieldInputProps>
  /** Takes both columns of a wide form. */
  readonly isWide?: true
  /** The initial value in a new row. */
  readonly initial?: unknown
  /** Explains that the server fills the field if it is empty in a new row. */
  readonly filledBy?: (words: Dictionary['nouns']) => string
  /** Help text under the field. */
  readonly hint?: (words: Dictionary['nouns']) => string
  /** True: shown as text, and left out of a new row. `loaded`: the value as it was loaded; undefined in a new row. */
  readonly isReadOnly?: (loaded: unknown) => boolean
  /** True: marked as required, because `check` or the server requires it. */
  readonly isRequired?: () => boolean
  /** The label of the button that adds a row, if the entity's own label does not fit here. */
  readonly add?: (words: Dictionary['nouns']) => string
}

/** What a component in a form slot receives. */
export interface SectionProps {
  /** The row as it was loaded; null for a new row. */
  row: Readonly<Record<string, unknown>> | null
}

/** What a screen adds to the form of its entity. */
export interface FormSlots {
  /** Keyed by path without indexes: 'partner_partner_groups.managers.user'. */
  readonly fields?: Readonly<Record<string, FieldSlots>>
  /** Components above the fields of a section, by section. */
  readonly above?: Readonly<Record<string, ComponentType<SectionProps>>>
  readonly below?: Readonly<Record<string, ComponentType<SectionProps>>>
  /** A component above the sections. */
  readonly lead?: ComponentType<SectionProps>
  /** The fields can be searched by their labels and definitions. */
  readonly isSearched?: true
  /** A component beside the fields of a new row, where the screen is wide. */
  readonly besideNew?: ComponentType<SectionProps>
  /** The fields that a new row begins with, all of the first section; the others follow on request. */
  readonly newFields?: readonly string[]
  /** A new row opens on its overview once it is created, not on its form. */
  readonly opensOverview?: true
  /** A component in the header, beside Save. */
  readonly actions?: ComponentType<SectionProps>
  /** Further checks beside those of the contract. */
  readonly check?: (values: FormRow) => FormIssues
  /** The title of the row's page. */
  readonly title?: (row: Row) => string
}

/** The server's rejection of the last save: stable codes, and the values that were rejected. */
export interface Rejection {
  readonly reasons: NonNullable<ErrorReply['reasons']>
  readonly values: FormRow
}
export const RejectionContext = createContext<Rejection | null>(null)

export const NO_SLOTS: FormSlots = {}
export const FormSlotsContext = createContext<FormSlots>(NO_SLOTS)

const NO_FIELD_SLOTS: FieldSlots = {}

/** The slots of the field at a path in the form ('rates.2.date'). */
export function useFieldSlots(path: string): FieldSlots {
  const { fields } = useContext(FormSlotsContext)
  return fields?.[withoutIndexes(path)] ?? NO_FIELD_SLOTS
}

const withoutIndexes = (path: string) => path.replace(/\.\d+(?=\.|$)/g, '')

/** Initial values of new rows: of the form (''), or of the collection at a path. */
export function initialOf({ fields = {} }: FormSlots, path = ''): FormRow {
  const prefix = path === '' ? '' : `${withoutIndexes(path)}.`
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, { initial }]) => {
      const own = name.startsWith(prefix) ? name.slice(prefix.length) : '.'
      return initial === undefined || own.includes('.') ? [] : [[own, initial]]
    }),
  )
}

/** Fields whose options depend on this field; a new value here clears them. */
export function useDependents(path: string): readonly string[] {
  const { fields = {} } = useContext(FormSlotsContext)
  return Object.entries(fields).flatMap(([name, { dependsOn }]) => (dependsOn?.field === path ? [name] : []))
}

/** Options: users with this role who may sign in. */
const enabledPeople = (kind: RoleKind): FieldSlots => ({
  conditions: [
    { path: 'role.kind', operator: 'eq', values: [kind] },
    { path: 'enabled', operator: 'eq', values: ['1'] },
  ],
})

export const MANAGERS = enabledPeople('MANAGER')
export const ADMIN_OR_LEADERS = enabledPeople('TEAM_LEADER')
