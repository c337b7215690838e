// Data from before offers had dated terms: players, income and entered spend under every payment model, and costs by dates.
import { testFrozenData } from './frozen-reports.ts'

testFrozenData('195-152')
