// What the server says of the one field of a small form stands under the field; what it says of anything else, in the corner.
import { useState } from 'react'
import { fieldFaults } from '../lib/form-errors.ts'
import { notifyFailure } from './notify.ts'

interface Fault {
  readonly text: string | undefined
  tell(error: unknown): void
  clear(): void
}

export function useFault(field: string): Fault {
  const [text, setText] = useState<string>()
  return {
    text,
    tell(error) {
      const said = fieldFaults(error)[field]
      setText(said)
      if (said === undefined) notifyFailure(error)
    },
    clear: () => setText(undefined),
  }
}
