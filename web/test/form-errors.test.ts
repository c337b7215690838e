import { expect, test } from 'vitest'
import { HttpError } from '../src/data/http-error.ts'
import { describeFormErrors, failureText, fieldErrors, flattenFormErrors } from '../src/lib/form-errors.ts'

const labels: Record<string, string> = { title: 'Title', streams: 'Streams' }
const labelOf = (path: readonly string[]) => labels[path.at(-1) ?? ''] ?? path.join('.')

test('an array is joined by commas; nested messages are prefixed by their labels [FORM-05]', () => {
  expect(describeFormErrors(['One', 'Two'], labelOf)).toBe('One, Two')
  expect(describeFormErrors({ title: ['Required'], streams: { 0: { title: ['Taken', 'Too long'] } } }, labelOf)).toBe(
    'Title: Required; Title: Taken, Too long',
  )
})

test('messages are assigned to their field by path [FORM-05]', () => {
  expect(flattenFormErrors({ title: ['Required'], streams: { 0: { title: ['Taken'] } } })).toEqual({
    title: 'Required',
    'streams.0.title': 'Taken',
  })
  expect(flattenFormErrors(['Whole form'])).toEqual({})
})

test('without a field to mark, a failure shows its field errors [FORM-05]', () => {
  const facts = { code: 'invalid', status: 422, message: 'Check the marked fields' } as const
  const taken = new HttpError({ ...facts, formErrors: { title: ['Taken', 'Too long'], day: ['Required'] } })
  expect(fieldErrors(taken)).toEqual({ title: 'Taken, Too long', day: 'Required' })
  expect(failureText(taken)).toBe('Taken, Too long. Required')
  const whole = new HttpError({ ...facts, formErrors: ['All of it'] })
  expect([fieldErrors(whole), failureText(whole)]).toEqual([{}, 'All of it'])
  const plain = new HttpError(facts)
  expect([fieldErrors(plain), failureText(plain)]).toEqual([{}, facts.message])
  expect(fieldErrors(new Error('x'))).toEqual({})
})
