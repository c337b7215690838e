// The height of table rows in pixels, for virtual rows; --row-height of theme.css is the same.
import { density } from '../state/preferences.ts'
import { useStoredValue } from '../state/stored-value.ts'
import { useIsFinger } from './narrow.ts'

const ROW_PX = { compact: 32, comfortable: 38 } as const
const FINGER_PX = 44

export function useRowHeight(): number {
  const [chosen] = useStoredValue(density)
  return useIsFinger() ? FINGER_PX : ROW_PX[chosen]
}
