// English words of setting a new password.
export const passwordEn = {
  hint: 'Enter your email. We will send you a link that works once and expires in an hour.',
  send: 'Send the link',
  sentTitle: 'Check your email',
  sentHint: 'We sent a link to {{email}}. It works once and expires in an hour.',
  toLogin: 'Back to sign-in',
  chooseHint: 'At least 8 characters: upper- and lowercase Latin letters, a digit and one of !@#$%^&*.',
  password: 'New password',
  repeat: 'Repeat password',
  set: 'Set password',
  done: 'The password is set. Sign in with it.',
  generate: 'Generate',
  generated: 'Generated and copied. Keep it in a password manager.',
  differ: 'The passwords must match',
} as const
