// An error of the start that the operator can fix: its message is one line that names what to change, printed without a stack.

export class StartError extends Error {
  override readonly name = 'StartError'

  constructor(message: string, options?: ErrorOptions) {
    super(message.replace(/\s*\n\s*/g, ' '), options)
  }
}
