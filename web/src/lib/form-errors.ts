// Turns field errors of a 422 into one sentence: it joins arrays by commas and prefixes nested fields with their labels.
import type { FieldErrors } from '@tributary/contract/error'

export function describeFormErrors(
  errors: string[] | FieldErrors,
  labelOf: (path: readonly string[]) => string,
  path: readonly string[] = [],
): string {
  if (Array.isArray(errors)) return errors.join(', ')
  return Object.entries(errors)
    .map(([name, inner]) => {
      const here = [...path, name]
      const text = describeFormErrors(inner, labelOf, here)
      return Array.isArray(inner) ? `${labelOf(here)}: ${text}` : text
    })
    .filter((text) => text !== '')
    .join('; ')
}

/** `streams.0.title` → message, one entry per field with an error. */
export function flattenFormErrors(errors: string[] | FieldErrors, path = ''): Record<string, string> {
  if (Array.isArray(errors)) return path === '' ? {} : { [path]: errors.join(', ') }
  return Object.assign(
    {},
    ...Object.entries(errors).map(([name, inner]) => flattenFormErrors(inner, path === '' ? name : `${path}.${name}`)),
  )
}

/** Field errors of a failed call by field path; empty if there are none. */
export const fieldErrors = (error: unknown): Record<string, string> => flattenFormErrors(formErrorsOf(error))

/** The message of a failed call where no field can be marked: its field errors, or else the whole message. */
export function failureText(error: Error): string {
  const said = formErrorsOf(error)
  const parts = Array.isArray(said) ? said : Object.values(flattenFormErrors(said))
  return parts.join('. ') || error.message
}

function formErrorsOf(error: unknown): string[] | FieldErrors {
  const said = error instanceof Error && 'formErrors' in error ? error.formErrors : undefined
  return typeof said === 'object' && said !== null ? (said as string[] | FieldErrors) : {}
}
