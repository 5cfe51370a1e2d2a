import type { ScrobbleAuthorization } from '../../../core/scrobbling/index.ts'

/** What the user has to do at the service. All keys are null for a service whose users copy a token. */
export function authorizationView(authorization: ScrobbleAuthorization | undefined) {
  return {
    url: authorization?.url ?? null,
    user_code: authorization?.userCode ?? null,
    code: authorization?.code ?? null,
    interval: authorization?.intervalSeconds ?? null,
    expires_in: authorization?.expiresInSeconds ?? null,
  }
}
