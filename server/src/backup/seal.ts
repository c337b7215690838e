// Encrypts the installation's secret with a passphrase, so that nobody can read stored credentials from a back-up alone.

import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify<string, Buffer, number, object, Buffer>(scrypt)
const SALT_BYTES = 16
const IV_BYTES = 12
const TAG_BYTES = 16
/** Each guess of the passphrase costs 64 MB and some hundred milliseconds. */
const COST = { N: 2 ** 16, r: 8, p: 1, maxmem: 128 * 1024 * 1024 }

/** Base64 of salt, IV, tag and the encrypted text. */
export async function sealByPassphrase(passphrase: string, text: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', await derive(passphrase, salt, 32, COST), iv)
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([salt, iv, cipher.getAuthTag(), sealed]).toString('base64')
}

/** Returns undefined if the passphrase is wrong. */
export async function openByPassphrase(passphrase: string, sealed: string): Promise<string | undefined> {
  const bytes = Buffer.from(sealed, 'base64')
  const [salt, rest] = [bytes.subarray(0, SALT_BYTES), bytes.subarray(SALT_BYTES)]
  const decipher = createDecipheriv('aes-256-gcm', await derive(passphrase, salt, 32, COST), rest.subarray(0, IV_BYTES))
  decipher.setAuthTag(rest.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
  try {
    const text = Buffer.concat([decipher.update(rest.subarray(IV_BYTES + TAG_BYTES)), decipher.final()])
    return text.toString('utf8')
  } catch {
    return undefined
  }
}
