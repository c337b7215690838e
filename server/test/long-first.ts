// The order of the files: what takes longest begins first, so that no core is left alone with it in the end. A run knows how long the files of
// the last one took; a fresh clone does not, and the size of a file says little.

import { basename } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Those above 20 seconds. What mostly waits for processes stands between what computes. */
const LONG = [
  'reports-every-kind',
  'server-process',
  'reports-limits',
  'crash',
  'access-matrix',
  'tracker-crash',
  'reports-property',
  'import-crash',
  'entities-crud',
  'chaos',
  'reports-sql',
  'jobs',
  'entities-bad-input',
  'access-partner',
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
