import { expect, test } from 'vitest'
import { type KeyStore, memoryStore } from '../src/lib/storage.ts'
import { noticeVersion, recordShown } from '../src/state/version.ts'

function storage(values: Record<string, string>): KeyStore & { clear: () => void; keys: Set<string> } {
  const store = memoryStore()
  const keys = new Set<string>()
  const kept = {
    ...store,
    keys,
    setItem(key: string, value: string) {
      keys.add(key)
      store.setItem(key, value)
    },
    clear() {
      for (const key of keys) store.removeItem(key)
      keys.clear()
    },
  }
  for (const [key, value] of Object.entries(values)) kept.setItem(key, value)
  return kept
}

test('another build clears storage except for the sign-in, and is announced once [NAV-07]', () => {
  const store = storage({ build_version: '"old"', token_data: '{"token":"t"}', density: '"compact"' })
  expect(noticeVersion(store, 'new')).toBe(true)
  expect(store.getItem('token_data')).toBe('{"token":"t"}')
  expect(store.getItem('density')).toBeNull()
  recordShown(store, 'new')
  expect(noticeVersion(store, 'new')).toBe(false)
})

test('a first visit, the same build and a page without a build announce nothing [NAV-07]', () => {
  const first = storage({})
  expect(noticeVersion(first, 'new')).toBe(false)
  expect(first.getItem('build_version')).toBe('"new"')
  const working = storage({ build_version: '"old"', density: '"compact"' })
  expect(noticeVersion(working, '')).toBe(false)
  expect(working.getItem('density')).toBe('"compact"')
})
