// A reason for which the server cannot start: its message is one line that names what to change, and is all that the operator sees.

export class StartError extends Error {
  override readonly name = 'StartError'

  constructor(message: string, options?: ErrorOptions) {
    super(message.replace(/\s*\n\s*/g, ' '), options)
  }
}
