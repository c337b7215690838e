// The order of test files: the longest start first, so that no core is left with a long one at the end. Durations of the last run are known;
// a new clone has none, and the size of a file is no substitute.

import { basename } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files above 10 seconds. Those that mostly wait are placed between those that compute. */
const LONG = [
  'server-process',
  'reports-every-kind',
  'backup',
  'access-matrix',
  'supervisor',
  'reports-sql',
  'crash',
  'click-retention',
  'faults',
  'crm',
  'close-crash',
  'entities-crud',
  'sheets-crash',
  'access-attacks',
  'reports-restart',
  'spend-import',
  'import-crash',
  'reports-known',
  'retention-backup',
  'entities-bad-input',
  'status',
  'reference-example',
  'reports-limits',
  'statement-actions',
  'reports-property',
  'tracker-crash',
  'sheets-parse',
  'access-foreign-rows',
  'embedded-postgres',
  'reports-saved',
  'budget-report',
  'bad-months',
  'clock-steps',
  'facts-rebuild',
  'access-partner',
  'tracker-several',
  'ledger-property',
  'reports-months',
  'migrate',
  'entities-query',
  'clickhouse',
  'audit',
  'edge-days',
]

const placeOf = ({ moduleId }: TestSpecification): number => {
  const place = LONG.indexOf(basename(moduleId, '.test.ts'))
  return place < 0 ? LONG.length : place
}

export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort((a, b) => placeOf(a) - placeOf(b))
  }
}
