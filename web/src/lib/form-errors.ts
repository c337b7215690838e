// Turns what a 422 says about fields into one sentence: an array is joined by commas, nested fields are prefixed by their labels.
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

/** `streams.0.title` → message, one for each field that is at fault. */
export function flattenFormErrors(errors: string[] | FieldErrors, path = ''): Record<string, string> {
  if (Array.isArray(errors)) return path === '' ? {} : { [path]: errors.join(', ') }
  return Object.assign(
    {},
    ...Object.entries(errors).map(([name, inner]) => flattenFormErrors(inner, path === '' ? name : `${path}.${name}`)),
  )
}

/** What a failed call says of single fields, by their paths. Empty when it says nothing of fields. */
export const fieldErrors = (error: unknown): Record<string, string> => flattenFormErrors(formErrorsOf(error))

/** A failed call in words, where no field stands to be marked: of its parts, where it speaks of them, else of the whole. */
export function failureText(error: Error): string {
  const said = formErrorsOf(error)
  const parts = Array.isArray(said) ? said : Object.values(flattenFormErrors(said))
  return parts.join('. ') || error.message
}

function formErrorsOf(error: unknown): string[] | FieldErrors {
  const said = error instanceof Error && 'formErrors' in error ? error.formErrors : undefined
  return typeof said === 'object' && said !== null ? (said as string[] | FieldErrors) : {}
}
