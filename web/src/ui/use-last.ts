// The last value that was not null: what a panel goes on showing while it closes.
import { useState } from 'react'

export function useLast<T>(value: T | null): T | null {
  const [last, setLast] = useState(value)
  if (value !== null && value !== last) setLast(value)
  return value ?? last
}
