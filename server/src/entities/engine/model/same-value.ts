// Compares values of fields regardless of notation: '12.5' equals '12.5000'.

import type { Field } from '@tributary/contract/field'

/** True if both stand for the same value of the field; null equals undefined. */
export function isSameValue(field: Field, a: unknown, b: unknown): boolean {
  return canonical(field, a) === canonical(field, b)
}

function canonical(field: Field, value: unknown): string | null {
  if (value === null || value === undefined) return null
  switch (field.kind) {
    case 'decimal':
      return trimZeros(plain(value))
    case 'datetime':
      return new Date(value instanceof Date ? value : plain(value)).toISOString()
    case 'uuid':
      return plain(value).toLowerCase()
    case 'references':
      return JSON.stringify(Array.isArray(value) ? value.map(Number).sort((a, b) => a - b) : [])
    case 'choices':
    case 'texts':
    case 'json':
      return JSON.stringify(value)
    case 'text':
    case 'integer':
    case 'boolean':
    case 'date':
    case 'choice':
    case 'reference':
    case 'children':
    case 'derived':
      return plain(value)
  }
}

const trimZeros = (text: string): string => {
  const plain = text.includes('.') ? text.replace(/0*$/, '').replace(/\.$/, '') : text
  const short = plain.replace(/^(-?)0+(?=\d)/, '$1')
  return short === '-0' ? '0' : short
}

/** Text as it is, other scalars as JSON. */
const plain = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
