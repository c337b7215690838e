// Server module that checks access before every route below /api and mounts declared calls and API docs. It must be the first module.
import { authService, createAuthService } from '../access/auth-service.ts'
import { ensureFirstAdmin } from '../access/first-admin.ts'
import { sendAccountLink } from '../jobs/send-account-link.ts'
import { sendAccountNotices } from '../jobs/send-account-notices.ts'
import { sweepAccess } from '../jobs/sweep-access.ts'
import type { ServerModule } from '../server-module.ts'
import { guardRoutes } from './authenticate.ts'
import { addCallRoutes } from './call-routes.ts'
import { addDocs } from './docs.ts'

export const accessModule: ServerModule = {
  name: 'access',
  roles: ['api'],
  jobs: [sendAccountLink, sendAccountNotices, sweepAccess],
  async start(services) {
    const auth = createAuthService(services.config.secret, services.postgres)
    authService.fill(services, auth)
    const firstAdmin = await ensureFirstAdmin(services.postgres.db, auth.keys, services.config)
    if (firstAdmin === 'added') services.log.info({ email: services.config.adminEmail }, 'the first admin was made')
    if (firstAdmin === 'missing')
      services.log.warn('nobody can sign in yet: set ADMIN_EMAIL and ADMIN_PASSWORD and start again')
    return undefined
  },
  async routes(app, services) {
    guardRoutes(app, services.postgres, () => authService.of(services))
    await addDocs(app, services.config)
    await addCallRoutes(app, services)
  },
}
