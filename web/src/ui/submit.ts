// Forms are sent by the screen's own code, never by the browser.
import type { SyntheticEvent } from 'react'

export const onSubmit =
  (send: () => unknown) =>
  (event: SyntheticEvent): void => {
    event.preventDefault()
    void send()
  }
