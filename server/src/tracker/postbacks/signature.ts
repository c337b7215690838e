// Signs calls to partners: with the URL's key a partner can verify that a call is ours and unchanged. Keys are derived from the installation's
// secret, so that none is stored or can leak from the record.

import { createHmac } from 'node:crypto'

/** The key of one postback address of a partner. */
export const signingKey = (secret: string, urlId: number): string =>
  createHmac('sha256', secret).update(`partner_postback_url:${urlId}`).digest('hex')

export interface SignedCall {
  key: string
  /** Unix seconds. */
  timestamp: number
  idempotencyKey: string
  method: string
  url: string
}

/** HMAC-SHA256, in hexadecimal, of the five parts joined by dots; the address holds all parameters, also those of a POST. */
export const signCall = ({ key, timestamp, idempotencyKey, method, url }: SignedCall): string =>
  createHmac('sha256', key).update(`${timestamp}.${idempotencyKey}.${method}.${url}`).digest('hex')
