// Server module of the status: counts of the last minutes.
import type { ServerModule } from '../server-module.ts'
import { recentCounts, startRecentCounts } from './recent-counts.ts'

export const statusModule: ServerModule = {
  name: 'status',
  roles: ['api'],
  async start(services) {
    const counts = startRecentCounts(services)
    recentCounts.fill(services, counts)
    return { stop: async () => counts.stop() }
  },
}
