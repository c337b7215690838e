// Server module of uploads: the worker deletes files that nothing has taken over.
import { dropUploads } from '../jobs/drop-uploads.ts'
import type { ServerModule } from '../server-module.ts'

export const uploadModule: ServerModule = { name: 'uploads', roles: ['worker'], jobs: [dropUploads] }
