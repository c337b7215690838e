// Password rules, which forms and the server check, and a generator of passwords that satisfy them.
import type { Issue } from './validate.ts'

export const PASSWORD_MIN = 8
export const PASSWORD_MAX = 128
export const PASSWORD_SPECIALS = '!@#$%^&*.'

const LOWER = 'abcdefghijkmnopqrstuvwxyz'
const UPPER = 'ABCDEFGHJKLMNPQRSTUVWXYZ'
const DIGITS = '23456789'

/** Common weak passwords, compared with the password's letters only. */
const COMMON =
  /^(?:password|passwort|passw?rd|qwerty(?:uiop)?|welcome|letmein|admin(?:istrator)?|changeme|secret|iloveyou|monkey|dragon|football|tributary|abcabc|aaa+|(?:winter|spring|summer|autumn))$/

/** Rules that the password breaks; empty if it is valid. */
export function checkPassword(text: string): readonly Issue[] {
  const issues: Issue[] = []
  if (text.length < PASSWORD_MIN) issues.push({ key: 'password_short', values: { min: PASSWORD_MIN } })
  if (text.length > PASSWORD_MAX) issues.push({ key: 'max_length', values: { max: PASSWORD_MAX } })
  if (!/[A-Z]/.test(text)) issues.push({ key: 'password_upper' })
  if (!/[a-z]/.test(text)) issues.push({ key: 'password_lower' })
  if (!/\d/.test(text)) issues.push({ key: 'password_digit' })
  if (!PASSWORD_SPECIALS.split('').some((sign) => text.includes(sign)))
    issues.push({ key: 'password_special', values: { specials: PASSWORD_SPECIALS } })
  if (!/^[\u0021-\u007e]*$/.test(text)) issues.push({ key: 'password_latin' })
  if (issues.length === 0 && COMMON.test(text.toLowerCase().replace(/[^a-z]/g, '')))
    issues.push({ key: 'password_common' })
  return issues
}

/** Generates a valid password. `pick(n)` returns an unpredictable integer from 0 to n - 1. Omits letters that look like digits. */
export function generatePassword(pick: (n: number) => number, length = 16): string {
  const sets = [LOWER, UPPER, DIGITS, PASSWORD_SPECIALS]
  const all = sets.join('')
  const signs = Array.from({ length }, (_, index) => {
    const from = sets[index] ?? all
    return from[pick(from.length)] ?? ''
  })
  for (let last = signs.length - 1; last > 0; last--) {
    const other = pick(last + 1)
    const held = signs[last] ?? ''
    signs[last] = signs[other] ?? ''
    signs[other] = held
  }
  return signs.join('')
}
