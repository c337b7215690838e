// Why a file cannot be read as a table. People are told of the kind; the detail is for the log.

export type SheetFault = 'wrong_format' | 'too_complex'

export class SheetFailure extends Error {
  override readonly name = 'SheetFailure'
  readonly fault: SheetFault

  constructor(fault: SheetFault, detail: string, options?: ErrorOptions) {
    super(detail, options)
    this.fault = fault
  }
}
