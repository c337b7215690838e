// Every part of the product, in the order in which they start.

import type { Part } from './services.ts'

export const PARTS: readonly Part[] = []
