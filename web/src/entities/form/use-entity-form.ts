// The state of one form: values, validation, and saving with every possible outcome.
import { useNavigate } from '@tanstack/react-router'
import { partnerSpend } from '@tributary/contract/entities/partner-spend'
import type { EntityName } from '@tributary/contract/entities/registry'
import type { FieldErrors } from '@tributary/contract/error'
import { say } from '@tributary/contract/words/messages'
import i18next from 'i18next'
import { useRef, useState } from 'react'
import { type FieldErrors as FormErrors, type Resolver, type UseFormReturn, useForm } from 'react-hook-form'
import { http } from '../../data/http.ts'
import { HttpError } from '../../data/http-error.ts'
import { newRequestId } from '../../data/live.ts'
import { useCan } from '../../data/profile.ts'
import { keys, queryClient } from '../../data/query-client.ts'
import { labelsOf } from '../../i18n/labels.ts'
import { currentLanguage, currentWords } from '../../i18n/language.ts'
import { describeFormErrors, flattenFormErrors } from '../../lib/form-errors.ts'
import { notifyAction } from '../../ui/notice-action.tsx'
import { notifyFailure, notifySuccess } from '../../ui/notify.ts'
import { entityOf } from '../field/field-at.ts'
import { recordPath } from '../field/row-link.ts'
import { notifyUndoable } from '../history/undo.ts'
import type { Row } from '../list/list-query.ts'
import { explainRejection } from '../list/row-actions.tsx'
import { buildChange, checkForm, type FormIssues, placeInForm } from './form-change.ts'
import { type Attempt, type FormRow, NEVER_SENT, nextAttempt, toForm } from './form-row.ts'
import { type FormSlots, initialOf, type Rejection } from './form-slots.ts'

/** The outcome of a save: the stored row, or null after a rejection. */
export type SaveOutcome =
  | { readonly saved: Row }
  /** The fields that the server rejected. */
  | { readonly saved: null; readonly wrong: readonly string[] }

/** The state of an entity's form, and what can be done with it. */
export interface EntityForm {
  readonly form: UseFormReturn<FormRow>
  /** The row as it was last loaded or saved; null for a new row. */
  readonly row: Row | null
  /** Resolves after the save succeeded, or failed with a message to the user. */
  readonly save: (values: FormRow) => Promise<SaveOutcome>
  /** The stored row, when a save was rejected because another user changed it. */
  readonly stale: Row | null
  /** Makes their version the loaded one and `values` the form's values. Null closes the question without an answer. */
  readonly settleStale: (values: FormRow | null) => void
  /** Loads the stored row: shows it if the form has no unsaved input, or else compares both. */
  readonly loadNewer: () => Promise<void>
  readonly rejection: Rejection | null
}

/** {'rates.2.date': issue} → {rates: [, , {date: error}]}, the shape of the form library. */
function nestErrors(issues: FormIssues): FormErrors<FormRow> {
  const errors: Record<string, unknown> = {}
  for (const [path, { key, values }] of Object.entries(issues)) {
    const steps = path.split('.')
    const last = steps.pop() ?? path
    let place = errors
    for (const [index, step] of steps.entries()) {
      const isList = /^\d+$/.test(steps[index + 1] ?? last)
      place[step] ??= isList ? [] : {}
      place = place[step] as Record<string, unknown>
    }
    place[last] = { type: key, message: say(currentLanguage(), key, values) }
  }
  return errors as FormErrors<FormRow>
}

function resolverOf(name: EntityName, isNew: boolean, { check, fields = {} }: FormSlots): Resolver<FormRow> {
  return (values) => {
    const issues = { ...checkForm(name, values, isNew), ...check?.(values) }
    // Fields that the server fills may be empty.
    for (const [path, { filledBy }] of Object.entries(fields))
      if (isNew && filledBy && issues[path]?.key === 'required') Reflect.deleteProperty(issues, path)
    return Object.keys(issues).length === 0 ? { values, errors: {} } : { values: {}, errors: nestErrors(issues) }
  }
}

/** The form of `initial`, or of a new row (null) that starts with the values of `given`. */
export function useEntityForm(
  name: EntityName,
  initial: Row | null,
  slots: FormSlots,
  given: FormRow = {},
): EntityForm {
  const [row, setRow] = useState(initial)
  const [stale, setStale] = useState<Row | null>(null)
  const [base, setBase] = useState(() => ({
    ...toForm(name, initial),
    ...(initial === null ? { ...initialOf(slots), ...given } : {}),
  }))
  const [rejection, setRejection] = useState<Rejection | null>(null)
  const form = useForm<FormRow>({
    defaultValues: base,
    mode: 'onChange',
    shouldFocusError: false,
    resolver: resolverOf(name, row === null, slots),
  })

  const once = useRef<Attempt>(NEVER_SENT)

  const takeAsRead = (read: Row): FormRow => {
    const values = toForm(name, read)
    setRow(read)
    setBase(values)
    form.reset(values)
    return values
  }

  const loadNewer: EntityForm['loadNewer'] = async () => {
    if (row === null) return
    try {
      const current = await http.get<Row>(`${name}/${row.id}`)
      if (form.formState.isDirty) setStale(current)
      else takeAsRead(current)
    } catch (error) {
      notifyFailure(error)
    }
  }

  const showNotice = useNotices()
  const can = useCan()
  const navigate = useNavigate()

  /** Shows the list in place of a record that is gone. */
  const leave = async (id: number | string): Promise<void> => {
    const { route } = entityOf(name)
    const path = recordPath(name, id)
    if (route !== null && path !== null && `${location.pathname}/`.startsWith(`${path}/`))
      await navigate({ to: route, ignoreBlocker: true })
  }

  const save: EntityForm['save'] = async (values) => {
    const change = buildChange(name, values, row === null ? null : base)
    once.current = nextAttempt(once.current, change.body)
    try {
      const requestId = newRequestId()
      const saved = await send(name, row, change.body, { ...once.current, requestId })
      once.current = NEVER_SENT
      setRejection(null)
      for (const notice of noticesOf(saved)) showNotice(notice)
      if (saved === row) notifySuccess(i18next.t(($) => $.form.saved))
      else if (row !== null)
        notifyUndoable(
          i18next.t(($) => $.form.saved),
          [requestId],
          { onUndone: loadNewer },
        )
      else
        notifyUndoable(
          i18next.t(($) => $.form.created),
          can(entityOf(name).access.remove) ? [requestId] : [],
          { onUndone: () => leave(saved.id) },
        )
      takeAsRead(saved)
      await reloadLists(name, saved)
      return { saved }
    } catch (error) {
      if (error instanceof HttpError && error.code === 'stale' && isRow(error.reply?.current)) {
        setStale(error.reply.current)
      } else if (error instanceof HttpError && error.formErrors !== undefined) {
        setRejection({ reasons: error.reply?.reasons ?? [], values })
        return { saved: null, wrong: showErrors(name, form, error, change.places) }
      } else await explainRejection(error)
      return { saved: null, wrong: [] }
    }
  }

  const settleStale: EntityForm['settleStale'] = (values) => {
    if (values !== null && stale !== null) {
      takeAsRead(stale)
      for (const [field, value] of Object.entries(values)) form.setValue(field, value, { shouldDirty: true })
    }
    setStale(null)
  }
  return { form, row, save, stale, settleStale, loadNewer, rejection }
}

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && 'id' in value

interface Notice {
  readonly code: string
  readonly message: string
}

/** Spends that a change leaves behind are listed beside the table of spends. */
function useNotices(): (notice: Notice) => void {
  const navigate = useNavigate()
  return ({ code, message }) => {
    const options = { persistent: true }
    if (code !== 'agent_spend_kept') {
      notifySuccess(message, options)
      return
    }
    const run = () => navigate({ to: partnerSpend.route, search: { view: 'table' } })
    notifyAction(message, { label: i18next.t(($) => $.form.showLeftSpends), run }, options)
  }
}

/** Notices of the server about the saved change. */
function noticesOf({ notices }: Row): Notice[] {
  return Array.isArray(notices) ? (notices as Notice[]) : []
}

/** Sends nothing if nothing changed. */
async function send(
  name: EntityName,
  row: Row | null,
  body: Record<string, unknown>,
  { key, requestId }: Attempt & { readonly requestId: string },
): Promise<Row> {
  if (row === null) return http.post<Row>(name, body, { onceKey: key })
  if (Object.keys(body).length === 0) return row
  return http.patch<Row>(`${name}/${row.id}`, { ...body, version: row.version }, { requestId })
}

/** Reloads lists and selects, which may show this row. The row itself comes from the response. */
async function reloadLists(name: EntityName, saved: Row): Promise<void> {
  queryClient.setQueryData(keys.row(name, saved.id), saved)
  await queryClient.invalidateQueries({
    predicate: ({ queryKey }) => queryKey[0] === 'entity' && queryKey[2] !== 'row',
  })
}

/** Shows messages at their fields, and messages of fields that are not on this form as a notification. */
function showErrors(
  name: EntityName,
  form: UseFormReturn<FormRow>,
  error: HttpError,
  places: Parameters<typeof placeInForm>[0],
): string[] {
  const { formErrors = [] } = error
  const title = i18next.t(($) => $.errors.request)
  const labels = labelsOf(currentWords())
  const known = toForm(name, null)
  const homeless: FieldErrors = {}
  const wrong: string[] = []
  for (const [path, message] of Object.entries(flattenFormErrors(formErrors))) {
    const place = placeInForm(places, path)
    const [field = ''] = place.split('.')
    if (!(field in known)) homeless[path] = [message]
    else {
      form.setError(place, { type: 'server', message })
      wrong.push(field)
    }
  }
  const labelOf = (path: readonly string[]) => labels.field(name, path.join('.').replace(/\.\d+(?=\.|$)/g, ''))
  const text = describeFormErrors(Array.isArray(formErrors) ? formErrors : homeless, labelOf)
  if (text !== '') notifyFailure(text, { title })
  else if (wrong.length === 0) notifyFailure(error, { title })
  return wrong
}
