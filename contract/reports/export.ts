// A report as a file: the rows of all its levels in their order, with the columns that a person has chosen, the total at the end.
import { z } from 'zod'
import type { Report } from '../report.ts'
import type { GeneralReportRequest } from './general.ts'

const asked = {
  /**
   * Keys of numbers as answers name them ('nd', 'roi_2'), or columns of one's own: 'formula:12'. Empty = all numbers that the role may see. Of
   * a table of cohorts: the numbers of its cells, players if none is named.
   */
  columns: z.array(z.string().min(1).max(64)).max(200).default([]),
  format: z.enum(['xlsx', 'csv']).default('xlsx'),
}
/** What every question for a file has, beside that of the report itself. */
export interface ExportRequest {
  readonly columns: readonly string[]
}
export type GeneralExportRequest = Omit<GeneralReportRequest, 'pagination'> & ExportRequest

export const exportNameOf = (path: string): string => `${path.replace('/', '_')}_export`

const whole = (request: z.ZodObject): z.ZodObject =>
  'pagination' in request.shape ? request.omit({ pagination: true }) : request

/** The answer is the file itself; `x-total-rows` says how many rows it will have. */
export const exportCall = ({ path, access, request }: Report) =>
  ({
    name: exportNameOf(path),
    method: 'POST',
    path: `${path}/export`,
    access,
    isReading: true,
    body: whole(request).extend(asked),
    answer: z.string(),
    status: 200,
  }) as const
