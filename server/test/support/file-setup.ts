// Runs before each test file. Its hook is the first of the file and therefore runs last.

import { afterAll } from 'vitest'
import { cleanUp } from './cleanup.ts'

afterAll(cleanUp)
