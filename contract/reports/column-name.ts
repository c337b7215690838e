// How a column of one's own is named among the numbers of a report: 'formula:12'.
export const FORMULA_PREFIX = 'formula:'
