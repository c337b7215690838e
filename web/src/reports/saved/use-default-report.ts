// The saved report that a person has made their default opens by itself where the address says nothing of a report.
import { useQuery } from '@tanstack/react-query'
import type { SavedReport } from '@tributary/contract/reports/saved'
import { useEffect, useEffectEvent, useRef } from 'react'
import { savedQuery } from './saved-query.ts'

export function useDefaultReport(report: string, isWanted: boolean, onOpen: (saved: SavedReport) => void): void {
  const { data } = useQuery({ ...savedQuery(report), enabled: isWanted })
  const isDone = useRef(!isWanted)
  const open = useEffectEvent(onOpen)
  // Follows the server's first answer; later ones are of what the person saves while looking at something else.
  useEffect(() => {
    if (data === undefined || isDone.current) return
    isDone.current = true
    const chosen = data.find((saved) => saved.is_default && saved.is_own)
    if (chosen !== undefined) open(chosen)
  }, [data])
}
