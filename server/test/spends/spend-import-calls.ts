// Sends files of spends as a browser does.

import type { SpendImport } from '@tributary/contract/calls/spend-import'
import type { Server } from '../../src/server.ts'
import type { SignedIn } from '../support/sign-in.ts'

export interface ImportOptions {
  readonly name?: string
  readonly query?: string
  readonly person?: SignedIn
}

export interface ImportAnswer {
  readonly status: number
  readonly body: SpendImport & { formErrors?: unknown }
}

/** A dry run, if `query` says nothing else. */
export async function sendImport(
  { url }: Server,
  { name = 'spends.csv', query = 'dry_run=1', person }: ImportOptions & { readonly person: SignedIn },
  content: string | Buffer,
): Promise<ImportAnswer> {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(Buffer.from(content))]), name)
  const answer = await fetch(`${url}/api/partner_spend/import?${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${person.token}` },
    body: form,
  })
  return { status: answer.status, body: (await answer.json()) as ImportAnswer['body'] }
}
