// English words of entered spend.
export const spendsEn = {
  accept: 'Accept claims',
  acceptQuestion_one: 'Accept the claim of {{rows}} row?',
  acceptQuestion_other: 'Accept the claims of {{rows}} rows?',
  acceptText: 'The claimed sum becomes the accepted one and counts in reports. Rows without a claim stay as they are.',
} as const
