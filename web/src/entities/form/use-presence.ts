// Says that this form is open, and knows who else has the same record open to change it: by asking every so often, and at once when told.

import { useQuery } from '@tanstack/react-query'
import type { EntityName } from '@tributary/contract/entities/registry'
import { EDITING_BEAT_SECONDS } from '@tributary/contract/limits'
import { useEffect, useRef, useState } from 'react'
import { http } from '../../data/http.ts'
import { useLive } from '../../data/live.ts'

export interface OtherEditor {
  readonly screen: string
  readonly full_name: string
  readonly since: string
  readonly is_me: boolean
}

interface Presence {
  readonly version: number | null
  readonly others: readonly OtherEditor[]
}

const ALONE: Presence = { version: null, others: [] }

/** Browsers know `randomUUID` only on safe addresses. */
function makeScreenId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const hex = Array.from(bytes, (byte, index) => {
    const fixed = index === 6 ? (byte & 15) | 64 : index === 8 ? (byte & 63) | 128 : byte
    return fixed.toString(16).padStart(2, '0')
  }).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** `version`: as the form has it; a change of it tells the others. `isOn` false: a form that cannot save disturbs nobody. */
export function usePresence(name: EntityName, id: number, version: unknown, isOn: boolean): Presence {
  const [screen, setScreen] = useState(makeScreenId)
  const told = useRef(version)
  const path = `editing/${name}/${id}`
  const presence = useQuery({
    queryKey: ['editing', name, id, screen],
    queryFn: async ({ signal }) => {
      const hasSaved = told.current !== version
      told.current = version
      return http.put<Presence>(path, hasSaved ? { screen, hasSaved } : { screen }, { signal })
    },
    enabled: isOn,
    staleTime: 0,
    gcTime: 0,
    refetchInterval: EDITING_BEAT_SECONDS * 1000,
    refetchIntervalInBackground: true,
  })
  const { refetch } = presence
  const ask = () => {
    if (isOn) void refetch()
  }
  useLive('editing', (payload) => (payload.entity === name && payload.id === id ? ask() : undefined), ask)
  // A save of one's own is told at once; the server follows it, which is outside React.
  useEffect(() => {
    if (isOn && told.current !== version) void refetch()
  }, [isOn, version, refetch])
  // Leaving the form is told, also by closing the window; who cannot tell any more falls silent.
  useEffect(() => {
    if (!isOn) return
    const leave = () => void http.delete(path, { query: { screen }, isParting: true }).catch(() => undefined)
    // Who has left does not come back: a page brought back from the browser's memory is a new screen. Not sooner: a page that is going
    // away would still say that the new one is open.
    const comeBack = ({ persisted }: PageTransitionEvent) => {
      if (persisted) setScreen(makeScreenId())
    }
    window.addEventListener('pagehide', leave)
    window.addEventListener('pageshow', comeBack)
    return () => {
      window.removeEventListener('pagehide', leave)
      window.removeEventListener('pageshow', comeBack)
      leave()
    }
  }, [isOn, path, screen])
  return presence.data ?? ALONE
}
