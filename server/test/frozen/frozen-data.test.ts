// Data of the first version that was kept.
import { testFrozenData } from './frozen-reports.ts'

testFrozenData('135-152')
