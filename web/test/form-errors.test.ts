import { expect, test } from 'vitest'
import { describeFormErrors, flattenFormErrors } from '../src/lib/form-errors.ts'

const labels: Record<string, string> = { title: 'Title', streams: 'Streams' }
const labelOf = (path: readonly string[]) => labels[path.at(-1) ?? ''] ?? path.join('.')

test('an array is joined by commas; nested messages are prefixed by their labels [FORM-05]', () => {
  expect(describeFormErrors(['One', 'Two'], labelOf)).toBe('One, Two')
  expect(describeFormErrors({ title: ['Required'], streams: { 0: { title: ['Taken', 'Too long'] } } }, labelOf)).toBe(
    'Title: Required; Title: Taken, Too long',
  )
})

test('messages find the field they belong to by its path [FORM-05]', () => {
  expect(flattenFormErrors({ title: ['Required'], streams: { 0: { title: ['Taken'] } } })).toEqual({
    title: 'Required',
    'streams.0.title': 'Taken',
  })
  expect(flattenFormErrors(['Whole form'])).toEqual({})
})
