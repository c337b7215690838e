// Passwords are kept as argon2id only. Checking costs the same whether or not there is such a person, so that time tells nothing.
import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'

/** OWASP's second profile; the algorithm's default is argon2id. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** Of no password that anyone knows. */
const nobodysHash = hash(randomBytes(32), COST)

export const hashPassword = (password: string): Promise<string> => hash(password, COST)

export async function isRightPassword(kept: string | null | undefined, password: string): Promise<boolean> {
  const isRight = await verify(kept ?? (await nobodysHash), password)
  return isRight && typeof kept === 'string'
}
