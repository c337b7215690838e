import { expect, test } from 'vitest'
import { ChunkFailed, loadChunk } from '../src/lib/lazy-component.tsx'
import { memoryStore } from '../src/lib/storage.ts'

function page() {
  const store = memoryStore()
  let reloads = 0
  return { edge: { store, reload: () => (reloads += 1), timeoutMs: 30 }, reloads: () => reloads }
}

const broken = () => Promise.reject(new Error('gone'))
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

test('a chunk that does not load reloads the page once, then throws with its name [NAV-06]', async () => {
  const { edge, reloads } = page()
  void loadChunk('list', broken, edge)
  await pause(5)
  expect(reloads()).toBe(1)
  await expect(loadChunk('list', broken, edge)).rejects.toMatchObject({ name: 'ChunkFailed', chunk: 'list' })
  expect(reloads()).toBe(1)
})

test('other chunks that load in between cause no endless reloads [NAV-06]', async () => {
  const { edge, reloads } = page()
  void loadChunk('list', broken, edge)
  await pause(5)
  await loadChunk('frame', () => Promise.resolve(1), edge)
  await expect(loadChunk('list', broken, edge)).rejects.toBeInstanceOf(ChunkFailed)
  expect(reloads()).toBe(1)
})

test('a chunk that loaded after a reload may be reloaded again later [NAV-06]', async () => {
  const { edge, reloads } = page()
  void loadChunk('list', broken, edge)
  await pause(5)
  await expect(loadChunk('list', () => Promise.resolve('there'), edge)).resolves.toBe('there')
  void loadChunk('list', broken, edge)
  await pause(5)
  expect(reloads()).toBe(2)
})

test('a chunk that never arrives fails after the time-out [NAV-06]', async () => {
  const { edge, reloads } = page()
  void loadChunk('list', () => new Promise(() => undefined), edge)
  await pause(60)
  expect(reloads()).toBe(1)
})
