// A report as a file: the rows of all its levels in their order, with the columns that a person has chosen, the total at the end.

import { z } from 'zod'
import type { Requirement } from '../access.ts'
import { GENERAL_REPORTS, type GeneralReportName } from './choices.ts'
import { flatReportRequest, generalReportRequest } from './general.ts'

/** Keys of numbers as answers name them ('nd', 'roi_2'), or columns of one's own: 'formula:12'. Empty = all numbers that the role may see. */
const columns = z.array(z.string().min(1).max(64)).max(200).default([])
const format = z.enum(['xlsx', 'csv']).default('xlsx')

const treeExport = generalReportRequest.omit({ pagination: true }).extend({ columns, format })
const flatExport = flatReportRequest.omit({ pagination: true }).extend({ columns, format })
export type GeneralExportRequest = z.output<typeof treeExport>

export const exportNameOf = (path: string): string => `${path}_export`

/** The answer is the file itself; `x-total-rows` says how many rows it will have. */
export const exportCall = (path: GeneralReportName, access: Requirement) =>
  ({
    name: exportNameOf(path),
    method: 'POST',
    path: `${path}/export`,
    access,
    body: GENERAL_REPORTS[path].isFlat ? flatExport : treeExport,
    answer: z.string(),
    status: 200,
  }) as const
