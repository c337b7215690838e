// The form of a payment model: its dated shares and price days on a time line.
import type { FormSlots, SectionProps } from '../../entities/form/form-slots.ts'
import { checkRanges } from '../../entities/terms/term-ranges.ts'
import { TermTimeline } from '../../entities/terms/term-timeline.tsx'

const HISTORIES = ['share_history'] as const

const PaymentModelTerms = ({ row }: SectionProps) => <TermTimeline entity="payment_model" names={HISTORIES} row={row} />

export const PAYMENT_MODEL_FORM: FormSlots = {
  above: { histories: PaymentModelTerms },
  check: (values) => checkRanges(values, HISTORIES),
}
