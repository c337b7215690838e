// The call that exports a report as a file: rows of all levels in their order with the chosen columns, and the total at the end.
import { z } from 'zod'
import type { Report } from '../call.ts'
import type { GeneralReportRequest } from './general.ts'

const fileFields = {
  /**
   * Keys of metrics as in answers ('nd', 'roi_2') or formulas ('formula:12'). Empty means all metrics that the role sees; in a cohort report
   * it means `players`.
   */
  columns: z.array(z.string().min(1).max(64)).max(200).default([]),
  format: z.enum(['xlsx', 'csv']).default('xlsx'),
}
/** Fields that an export request adds to the report's request. */
export interface ExportRequest {
  readonly columns: readonly string[]
}
/** The general report without pages, with the format and the columns of the file. */
export type GeneralExportRequest = Omit<GeneralReportRequest, 'pagination'> & ExportRequest

/** The name of the call that exports the report of this path. */
export const exportNameOf = (path: string): string => `${path.replace('/', '_')}_export`

const whole = (request: z.ZodObject): z.ZodObject =>
  'pagination' in request.shape ? request.omit({ pagination: true }) : request

/** The answer is the file; the header `x-total-rows` holds its number of rows. */
export const exportCall = ({ path, access, request }: Report) =>
  ({
    name: exportNameOf(path),
    method: 'POST',
    path: `${path}/export`,
    access,
    isReading: true,
    body: whole(request).extend(fileFields),
    answer: z.string(),
    status: 200,
  }) as const
