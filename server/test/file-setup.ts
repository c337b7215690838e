// Runs before each test file. Its hook is the first of the file, therefore the last to run.

import { afterAll } from 'vitest'
import { cleanUp } from './cleanup.ts'

afterAll(cleanUp)
