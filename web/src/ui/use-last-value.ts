// Returns the last value that was not null, which a panel shows while it closes.
import { useState } from 'react'

export function useLastValue<T>(value: T | null): T | null {
  const [last, setLast] = useState(value)
  if (value !== null && value !== last) setLast(value)
  return value ?? last
}
