// Behind both steps: the session begins, and one comes to where one wanted to go.
import { useNavigate, useSearch } from '@tanstack/react-router'
import { safeReturn } from '../../lib/safe-return.ts'

export function useEnter(): (enter: () => void) => Promise<void> {
  const navigate = useNavigate()
  const search: Record<string, unknown> = useSearch({ strict: false })
  return async (enter) => {
    enter()
    await navigate({ href: safeReturn(search.return), replace: true })
  }
}
