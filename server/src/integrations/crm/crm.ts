// The CRM that books payment requests. Only this adapter knows the protocol, which docs/crm.yaml describes.
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { type CallerOptions, callIntegration, IntegrationFailure } from '../call-integration.ts'

const booked = z.looseObject({
  id: z.union([z.string(), z.number()]),
  status: z.enum(['pending', 'accepted', 'rejected']),
  amount: z.string().nullish(),
  reason: z.string().nullish(),
})
export type Booked = z.output<typeof booked>

type CrmOutcome =
  | { readonly kind: 'booked'; readonly booked: Booked }
  /** The CRM will not book it as it is. */
  | { readonly kind: 'rejected'; readonly answer: string }

interface Crm {
  /** Requests a payment; returns the request that the CRM already has under the key. Throws IntegrationFailure, or the signal's reason. */
  request(key: string, body: { readonly amount: string }, signal: AbortSignal): Promise<CrmOutcome>
  /** Undefined if no request has the key. */
  read(key: string, signal: AbortSignal): Promise<Booked | undefined>
}

export function createCrm(baseUrl: string, credential: string | null, options: CallerOptions): Crm {
  const path = `${baseUrl}/v1/payment-requests`
  const read = async (key: string, signal: AbortSignal): Promise<Booked | undefined> => {
    try {
      return parse(await callIntegration({ url: `${path}/${key}`, method: 'GET', credential, signal }, options))
    } catch (error) {
      if (error instanceof IntegrationFailure && error.status === 404) return undefined
      throw error
    }
  }
  return {
    read,
    async request(key, body, signal) {
      try {
        const call = { url: path, method: 'POST', body, credential, idempotencyKey: key, signal } as const
        return { kind: 'booked', booked: parse(await callIntegration(call, options)) }
      } catch (error) {
        if (!(error instanceof IntegrationFailure)) throw error
        if (error.status === 422) return { kind: 'rejected', answer: error.answer ?? '' }
        if (error.status !== 409) throw error
        const found = await read(key, signal)
        if (found === undefined) throw new IntegrationFailure('answered 409, but has no request under the key', 409)
        if (found.amount != null && Number(found.amount) !== Number(body.amount))
          return { kind: 'rejected', answer: `The CRM has ${found.amount} under this key, not ${body.amount}` }
        return { kind: 'booked', booked: found }
      }
    },
  }
}

function parse(answer: unknown): Booked {
  const read = booked.safeParse(answer)
  if (!read.success) throw new IntegrationFailure(`not as agreed: ${read.error.issues[0]?.path.join('.') ?? ''}`, 200)
  return read.data
}

const NAMESPACE = Buffer.from('6f1d3c1e8f5b4a0e9a7c2b64d0e15c33', 'hex')

/** UUIDv5 (RFC 9562) of the parts. */
export function uuidV5(parts: readonly (string | number | null)[]): string {
  const digest = createHash('sha1').update(NAMESPACE).update(JSON.stringify(parts)).digest().subarray(0, 16)
  digest.writeUInt8((digest.readUInt8(6) & 0x0f) | 0x50, 6)
  digest.writeUInt8((digest.readUInt8(8) & 0x3f) | 0x80, 8)
  const hex = digest.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
