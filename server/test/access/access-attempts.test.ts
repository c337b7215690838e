// Limits of wrong guesses, on a fake clock.
import { beforeAll, expect, test } from 'vitest'
import { networkOf, plainAddress } from '../../src/access/address.ts'
import { createAttempts } from '../../src/access/attempts.ts'
import { AppError } from '../../src/lib/app-error.ts'
import { connectPostgres, type Postgres } from '../../src/postgres/client.ts'
import { atEndOfFile } from '../support/cleanup.ts'
import { createTestDatabase, log } from '../support/harness.ts'

const account = { kind: 'password', of: 'a@tributary.test' } as const
const address = { kind: 'address', of: '10.0.0.1' } as const

const wrong = () => Promise.reject(new AppError('wrong_credentials'))
const right = () => Promise.resolve('in')

let postgres: Postgres

beforeAll(async () => {
  const { url } = await createTestDatabase()
  postgres = connectPostgres(url, log)
  atEndOfFile(() => postgres.close())
})

let starts = 0

function start() {
  starts += 1
  let now = starts * 1_000_000_000
  const attempts = createAttempts(postgres, () => now)
  return {
    pass: (seconds: number): void => {
      now += seconds * 1000
    },
    /** Resolves with 'in', 'wrong_credentials', or the seconds to wait. */
    guess: async (judge: () => Promise<unknown>, key: typeof account | typeof address = account): Promise<unknown> => {
      try {
        return await attempts.guard([key], judge)
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        return error.details.retry_after ?? error.code
      }
    },
  }
}

test('the fifth wrong guess locks for a minute, each later one for twice as long, up to 15 minutes [AUTH-14]', async () => {
  const { pass, guess } = start()
  for (let round = 0; round < 5; round++) expect(await guess(wrong)).toBe('wrong_credentials')
  const waits: unknown[] = []
  for (let round = 0; round < 7; round++) {
    const wait = await guess(right)
    waits.push(wait)
    pass(Number(wait))
    expect(await guess(wrong)).toBe('wrong_credentials')
  }
  expect(waits.slice(0, 4)).toEqual([60, 120, 240, 480])
  expect(Math.max(...waits.map(Number))).toBe(900)
})

test('a right guess clears the account’s count, but only its own guess from the IP’s count [AUTH-14]', async () => {
  const { guess } = start()
  for (let round = 0; round < 4; round++) await guess(wrong)
  expect(await guess(right)).toBe('in')
  for (let round = 0; round < 4; round++) expect(await guess(wrong)).toBe('wrong_credentials')
  for (let round = 0; round < 29; round++) await guess(wrong, address)
  for (let round = 0; round < 50; round++) expect(await guess(right, address)).toBe('in')
  expect(await guess(wrong, address)).toBe('wrong_credentials')
  expect(await guess(right, address)).toBe(60)
})

test('wrong guesses expire one by one [AUTH-14]', async () => {
  const { pass, guess } = start()
  for (let round = 0; round < 4; round++) await guess(wrong)
  pass(15 * 60)
  expect(await guess(wrong)).toBe('wrong_credentials')
  expect(await guess(wrong)).toBe('wrong_credentials')
  expect(await guess(right)).toBe(60)
})

test('parallel guesses get no further than sequential ones [AUTH-14]', async () => {
  const { guess } = start()
  const slow = () => new Promise<never>((_resolve, reject) => setTimeout(reject, 5, new AppError('wrong_credentials')))
  const answers = await Promise.all(Array.from({ length: 20 }, () => guess(slow)))
  expect(answers.filter((answer) => answer === 'wrong_credentials')).toHaveLength(5)
})

test('a failure of the server does not count as a wrong guess [AUTH-14]', async () => {
  const { guess } = start()
  for (let round = 0; round < 9; round++)
    await guess(() => Promise.reject(new AppError('unavailable', { retry_after: 2 })))
  expect(await guess(right)).toBe('in')
})

test('an IP is counted by the network prefix of one subscriber [AUTH-14]', () => {
  expect(plainAddress('fe80::1%eth0')).toBe('fe80::1')
  expect(['127.0.0.1', '::ffff:127.0.0.1'].map(networkOf)).toEqual(['127.0.0.1', '127.0.0.1'])
  expect(networkOf('2001:DB8:1:2:3:4:5:6')).toBe('2001:db8:1:2')
  expect(networkOf('2001:db8:1:2::9')).toBe(networkOf('2001:db8:1:2:ffff::'))
  expect(networkOf('2001:db8::9')).toBe('2001:db8:0:0')
  expect(networkOf('::1')).toBe('0:0:0:0')
})
