// Who waits for the statements that are asked from here on: turns are shared out among people, however many statements each of them asks.

import { AsyncLocalStorage } from 'node:async_hooks'

const asking = new AsyncLocalStorage<number>()

export const askFor = <T>(person: number, work: () => T): T => asking.run(person, work)

/** Null: nobody but the product itself. */
export const currentAsker = (): number | null => asking.getStore() ?? null
