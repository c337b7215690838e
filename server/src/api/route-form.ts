// What the routes of entities share: which of them exist, and how a list's query is read.

import type { Requirement } from '@tributary/contract/access'
import type { FastifyRequest } from 'fastify'

/** Bodies and queries are checked by the store, whose issues know the row; a list is not worth a second walk over its rows. */
export const DESCRIBED_ONLY = {
  validatorCompiler: () => (value: unknown) => ({ value }),
  serializerCompiler: () => (value: unknown) => JSON.stringify(value),
}

export const isOpen = (requirement: Requirement): boolean =>
  requirement === 'everyone' || (requirement.roles ?? []).length + (requirement.permissions ?? []).length > 0

export const paramsOf = ({ url }: FastifyRequest): URLSearchParams =>
  new URLSearchParams(url.slice(url.indexOf('?') + 1 || url.length))
