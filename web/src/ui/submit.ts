// Submits forms by the screen's own code instead of the browser.
import type { SyntheticEvent } from 'react'

export const onSubmit =
  (send: () => unknown) =>
  (event: SyntheticEvent): void => {
    event.preventDefault()
    void send()
  }
