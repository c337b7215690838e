// Which page numbers the pager shows: a window of seven around the present one, kept inside the ends.
import { PAGER_PAGES } from '@tributary/contract/limits'

export function pagerPages(page: number, last: number, size: number = PAGER_PAGES): number[] {
  const count = Math.min(size, Math.max(1, last))
  const first = Math.max(1, Math.min(page - Math.floor(count / 2), last - count + 1))
  return Array.from({ length: count }, (_, index) => first + index)
}
