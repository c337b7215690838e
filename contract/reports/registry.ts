// Every report of the product. The server mounts what stands here and nothing else.
import type { Report } from '../report.ts'
import { generalReport } from './general.ts'

export const REPORTS: readonly Report[] = [generalReport]
