// Keeps the folder of uploads small: what was sent and forgotten is dropped by the worker.
import { dropUploads } from '../jobs/drop-uploads.ts'
import type { Part } from '../services.ts'

export const uploadPart: Part = { name: 'uploads', roles: ['worker'], jobs: [dropUploads] }
