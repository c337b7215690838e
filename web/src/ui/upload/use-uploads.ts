// Uploads under way and uploaded files. A failure clears the list and shows a notification; leaving the page cancels uploads.
import { isAccepted, MEGABYTE, type UploadRule } from '@tributary/contract/limits'
import type { Issue } from '@tributary/contract/validate'
import { say } from '@tributary/contract/words/messages'
import { useEffect, useRef, useState } from 'react'
import { currentLanguage } from '../../i18n/language.ts'
import { notifyFailure } from '../notify.ts'

/** The files of a selection that may be sent, and the reasons why others may not. */
export interface CheckedFiles<F> {
  readonly accepted: readonly F[]
  readonly issues: readonly Issue[]
}

/** `there`: how many files are uploaded already. If the selection exceeds the limit, none is accepted: the user decides which. */
export function checkFiles<F extends { readonly name: string; readonly size: number }>(
  files: readonly F[],
  { rule, limit, there }: { rule: UploadRule; limit: number; there: number },
): CheckedFiles<F> {
  if (files.length + there > limit) return { accepted: [], issues: [{ key: 'file_limit', values: { count: limit } }] }
  const issues: Issue[] = []
  const accepted = files.filter((file) => {
    const issue = issueOf(file, rule)
    if (issue !== null) issues.push(issue)
    return issue === null
  })
  return { accepted, issues }
}

function issueOf({ name, size }: { name: string; size: number }, rule: UploadRule): Issue | null {
  if (!isAccepted(name, rule)) return { key: 'file_type_invalid', values: { types: rule.extensions.join(', ') } }
  if (size === 0) return { key: 'file_empty' }
  if (size <= rule.maxBytes) return null
  return { key: 'file_too_large', values: { size: Math.floor(rule.maxBytes / MEGABYTE) } }
}

/** Resolves with the server's answer for the file. */
export type SendFile<T> = (
  file: File,
  options: { readonly onProgress: (fraction: number) => void; readonly signal: AbortSignal },
) => Promise<T>

export interface UploadItem<T> {
  readonly key: number
  readonly name: string
  /** In bytes. */
  readonly size: number
  /** From 0 to 100. */
  readonly progress: number
  /** Null during the upload. */
  readonly result: T | null
}

export interface FileUploadOptions<T> {
  readonly send: SendFile<T>
  readonly rule: UploadRule
  readonly limit: number
  /** Receives the uploaded files whenever they change. */
  readonly onChange?: ((results: readonly T[]) => void) | undefined
  /** Removes an uploaded file. */
  readonly onRemove?: ((result: T) => Promise<unknown>) | undefined
}

export function useUploads<T>({ send, rule, limit, onChange, onRemove }: FileUploadOptions<T>) {
  const [items, setItems] = useState<readonly UploadItem<T>[]>([])
  const [problems, setProblems] = useState<readonly string[]>([])
  const state = useRef({ items, nextKey: 0, underWay: new Map<number, AbortController>() })

  const put = (next: readonly UploadItem<T>[]) => {
    state.current.items = next
    setItems(next)
  }
  const change = (key: number, part: Partial<UploadItem<T>>) =>
    put(state.current.items.map((item) => (item.key === key ? { ...item, ...part } : item)))
  const tell = () => onChange?.(state.current.items.flatMap(({ result }) => (result === null ? [] : [result])))
  const stopAll = () => {
    for (const control of state.current.underWay.values()) control.abort()
    state.current.underWay.clear()
  }

  const start = async (file: File) => {
    const key = state.current.nextKey++
    const control = new AbortController()
    state.current.underWay.set(key, control)
    put([...state.current.items, { key, name: file.name, size: file.size, progress: 0, result: null }])
    try {
      const onProgress = (fraction: number) => change(key, { progress: Math.min(99, Math.floor(fraction * 100)) })
      const result = await send(file, { onProgress, signal: control.signal })
      change(key, { progress: 100, result })
    } catch (error) {
      if (control.signal.aborted) return
      stopAll()
      put([])
      notifyFailure(error)
    } finally {
      state.current.underWay.delete(key)
    }
    tell()
  }

  const add = (files: readonly File[]) => {
    const { accepted, issues } = checkFiles(files, { rule, limit, there: state.current.items.length })
    setProblems([...new Set(issues.map(({ key, values }) => say(currentLanguage(), key, values)))])
    for (const file of accepted) void start(file)
  }

  const remove = (key: number) => {
    const item = state.current.items.find((known) => known.key === key)
    state.current.underWay.get(key)?.abort()
    put(state.current.items.filter((known) => known.key !== key))
    setProblems([])
    if (item?.result != null) void onRemove?.(item.result).catch(notifyFailure)
    tell()
  }

  // Cancels uploads when the component unmounts.
  useEffect(() => {
    const { underWay } = state.current
    return () => {
      for (const control of underWay.values()) control.abort()
    }
  }, [])
  return { items, problems, add, remove }
}
