// The form of what answers a declared call: it gets checked input and returns what the contract says, typed by the call itself.
import type { Call } from '@tributary/contract/call'
import type { Language } from '@tributary/contract/language'
import type { ZodType, z } from 'zod'
import type { Person } from '../access/person.ts'
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
  /** On disk, and recorded as this person's. It is dropped again when the handler throws, and after a day unless it is kept. */
  readonly file: C extends { upload: object } ? Upload : undefined
  /** Who asks; a public call has nobody. */
  readonly person: C['access'] extends 'public' ? undefined : Person
  readonly language: Language
  readonly ip: string
  readonly userAgent: string | undefined
  readonly requestId: string
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal
}

/** What a call with `sheet` answers: the route writes it while it is being read. */
export interface SheetAnswer {
  readonly sheet: Sheet
  readonly format: SheetFormat
}

/** A file on disk, sent as it is. */
export interface KeptFile {
  readonly path: string
  /** As it is called where it arrives. */
  readonly name: string
  readonly type: string
}

export type Answer<C extends Call> = C extends { sheet: true }
  ? SheetAnswer
  : C extends { kept: true }
    ? KeptFile
    : C extends { answer: ZodType }
      ? Part<C, 'answer'>
      : undefined

export type Handler<C extends Call> = (input: CallInput<C>, services: Services) => Promise<Answer<C>>
