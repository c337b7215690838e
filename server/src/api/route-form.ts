// Shared by the entity routes: which of them exist, and how they read a list query.

import type { Requirement } from '@tributary/contract/access'
import type { FastifyRequest } from 'fastify'

/** Schemas only document these routes: the store validates input against the row, and answers are not validated again. */
export const DESCRIBED_ONLY = {
  validatorCompiler: () => (value: unknown) => ({ value }),
  serializerCompiler: () => (value: unknown) => JSON.stringify(value),
}

export const isOpen = (requirement: Requirement): boolean =>
  requirement === 'everyone' || (requirement.roles ?? []).length + (requirement.permissions ?? []).length > 0

export const paramsOf = ({ url }: FastifyRequest): URLSearchParams =>
  new URLSearchParams(url.slice(url.indexOf('?') + 1 || url.length))
