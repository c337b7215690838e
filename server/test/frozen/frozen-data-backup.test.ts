// Data of the first version that makes back-ups, restored from one that was made before later migrations.
import { testFrozenData } from './frozen-reports.ts'

testFrozenData('395-370', { throughBackup: true })
