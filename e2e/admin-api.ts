// Calls the API as the admin of a page, with the tokens that the page has at the moment.
import { expect, type Page } from '@playwright/test'

export type Row = Record<string, unknown> & { id: number }

export interface Reply {
  status: number
  body: Row
}

/** Runs inside the page, so that it uses the current tokens after any renewal. */
export function apiOf(page: Page) {
  const ask = (method: string, path: string, body?: unknown): Promise<Reply> =>
    page.evaluate(
      async ([verb, where, sent]) => {
        const { token } = JSON.parse(localStorage.getItem('token_data') ?? '{}') as { token: string }
        const answer = await fetch(`/api/${where}`, {
          method: verb,
          headers: {
            authorization: `Bearer ${token}`,
            ...(sent !== undefined && { 'content-type': 'application/json' }),
          },
          ...(sent !== undefined && { body: sent }),
        })
        const text = await answer.text()
        return { status: answer.status, body: JSON.parse(text || '{}') }
      },
      [method, path, body === undefined ? undefined : JSON.stringify(body)] as const,
    )
  return {
    ask,
    /** Sends a call and expects success. */
    async done(method: string, path: string, body?: unknown): Promise<Row> {
      const reply = await ask(method, path, body)
      expect(reply.status, `${method} ${path}: ${JSON.stringify(reply.body)}`).toBeLessThan(300)
      return reply.body
    },
  }
}
