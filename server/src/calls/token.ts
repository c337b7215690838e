// Sign-in, refresh and sign-out.
import type { Calls } from '@tributary/contract/calls/registry'
import { authService } from '../access/auth-service.ts'
import { logIn } from '../access/login.ts'
import { endSessionOf, refreshSession } from '../access/session.ts'
import { AppError } from '../lib/app-error.ts'
import type { Handler } from './handler.ts'

export const createToken: Handler<Calls['token_create']> = ({ body, ip, userAgent, requestId }, services) => {
  const { keys, attempts } = authService.of(services)
  return logIn({ db: services.postgres.db, keys, attempts, device: { ip, userAgent }, requestId }, body)
}

export const refreshToken: Handler<Calls['token_refresh']> = ({ body }, services) =>
  refreshSession(services.postgres, authService.of(services).keys, body.refreshToken)

export const logOut: Handler<Calls['token_logout']> = async ({ body }, services) => {
  const isGenuine = await endSessionOf(services.postgres.db, authService.of(services).keys, body.tokenData)
  if (!isGenuine) throw new AppError('unauthorized')
}
