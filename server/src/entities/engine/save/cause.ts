// Causes of changes, as the audit log and the logs of facts store them.

/** The cause of a change for which somebody may have given a reason. */
export const withReason = (change: string, reason = ''): string => (reason === '' ? change : `${change}: ${reason}`)
