// Keeps the folder of uploads small: what was sent and forgotten is dropped by the worker.
import { dropUploads } from '../jobs/drop-uploads.ts'
import type { ServerModule } from '../server-module.ts'

export const uploadModule: ServerModule = { name: 'uploads', roles: ['worker'], jobs: [dropUploads] }
