// Types of a call's handler, which receives validated input and returns the declared answer.
import type { Call } from '@tributary/contract/call'
import type { Language } from '@tributary/contract/language'
import type { ZodType, z } from 'zod'
import type { Person } from '../access/person.ts'
import type { RequestContext } from '../entities/engine/model/request-context.ts'
import type { Upload } from '../entities/upload.ts'
import type { Sheet, SheetFormat } from '../lib/sheet.ts'
import type { Services } from '../services.ts'

type Output<S> = S extends ZodType ? z.output<S> : undefined
type Part<C extends Call, K extends 'params' | 'query' | 'body' | 'answer'> =
  C extends Record<K, infer S> ? Output<S> : undefined

export interface CallInput<C extends Call> {
  readonly params: Part<C, 'params'>
  readonly query: Part<C, 'query'>
  readonly body: Part<C, 'body'>
  /** The uploaded file. It is deleted if the handler throws, and after a day unless `keepUpload` was called. */
  readonly file: C extends { upload: object } ? Upload : undefined
  /** The caller; undefined for public calls. */
  readonly person: C['access'] extends 'public' ? undefined : Person
  /** The caller's rights and rows; undefined for public calls. */
  readonly context: C['access'] extends 'public' ? undefined : RequestContext
  readonly language: Language
  readonly ip: string
  readonly userAgent: string | undefined
  /** Idempotency key of a creation; a call that creates something that nobody wants twice heeds it. */
  readonly onceKey: string | undefined
  readonly requestId: string
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal
}

/** Answer of a call with `sheet`; the route streams it. */
export interface SheetAnswer {
  readonly sheet: Sheet
  readonly format: SheetFormat
}

/** Answer of a call with `returnsStoredFile`: the route sends the file unchanged. */
export type StoredFile = ({ readonly path: string } | { readonly bytes: Buffer }) & {
  /** File name for the client. */
  readonly name: string
  readonly type: string
}

export type Answer<C extends Call> = C extends { sheet: true }
  ? SheetAnswer
  : C extends { returnsStoredFile: true }
    ? StoredFile
    : C extends { answer: ZodType }
      ? Part<C, 'answer'>
      : undefined

export type Handler<C extends Call> = (input: CallInput<C>, services: Services) => Promise<Answer<C>>
