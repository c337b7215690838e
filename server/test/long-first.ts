// The order of the files: what takes longest begins first, so that no core is left alone with it in the end. A run knows how long the files of
// the last one took; a fresh clone does not, and the size of a file says little.

import { basename } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Those above 10 seconds. What mostly waits for processes stands between what computes. */
const LONG = [
  'reports-every-kind',
  'server-process',
  'reports-property',
  'crash',
  'access-matrix',
  'tracker-crash',
  'reports-sql',
  'import-crash',
  'entities-crud',
  'chaos',
  'access-partner',
  'clock-steps',
  'reports-known',
  'tracker-several',
  'entities-hostile',
  'jobs',
  'reports-limits',
  'reports-restart',
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
