// For whom queries run: the scheduler shares the engine out among people, however many queries each of them sends.
import { AsyncLocalStorage } from 'node:async_hooks'

const people = new AsyncLocalStorage<number>()

/** Queries that `work` sends are the person's. */
export const runForPerson = <T>(person: number, work: () => T): T => people.run(person, work)

/** Null: the product itself. */
export const currentPerson = (): number | null => people.getStore() ?? null
