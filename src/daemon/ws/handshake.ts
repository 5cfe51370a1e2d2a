import { countClient, createProcessCounts, rateLimitedError } from '../../core/platform/rate-limits/index.ts'
import type { SigningServices } from '../../core/services.ts'
import { httpErrors } from '../errors.ts'
import type { Lifecycle } from '../http/app-types.ts'
import type { TokenService } from '../http/tokens.ts'
import { readBearerToken, authenticateBearer, type AuthenticatedSession } from '../hooks/authentication.ts'
import { createAddressReader } from '../hooks/client-address.ts'
import { socketErrors } from './errors.ts'
import { isAllowedOrigin } from './origin.ts'
import { isWebSocket, parseUpgradeTarget, type UpgradeTarget, type UpgradeRequest } from './upgrade-url.ts'

/** The authenticated client. */
export type AuthenticatedClient = AuthenticatedSession & { room: string | null }

export type UpgradeAuthenticator = {
  /** Address of the client, as for HTTP requests. */
  clientOf(request: UpgradeRequest): string
  /**
   * Accepts or refuses a handshake. Each one counts towards the rate limit ws_connect of this process.
   * @throws AppError `rate_limited`, `stopping`, `upgrade_required`, `not_found`, `origin_not_allowed`, `auth.required`
   */
  admit(request: UpgradeRequest): Promise<AuthenticatedClient>
}

/** Authenticates handshakes before the upgrade, so that refused clients get an HTTP status. */
export function createUpgradeAuthenticator(
  services: SigningServices,
  { tokens, lifecycle }: { tokens: TokenService; lifecycle: Lifecycle },
): UpgradeAuthenticator {
  const { options } = services.config
  const readAddress = createAddressReader(services)
  const counts = createProcessCounts(services, { windowSeconds: options['server.rate_limit.ws_connect.window'] })
  const clientOf = (raw: UpgradeRequest): string => readAddress({ raw })

  async function checkRate(request: UpgradeRequest): Promise<void> {
    const max = options['server.rate_limit.ws_connect.max']
    const { hits, millisecondsLeft } = await countClient({ address: clientOf(request), max }, (key) =>
      counts.countHit(key),
    )
    if (hits > max) throw rateLimitedError(millisecondsLeft)
  }

  function checkTarget(request: UpgradeRequest): UpgradeTarget {
    if (!isWebSocket(request.headers.upgrade)) throw socketErrors.upgrade_required()
    const place = parseUpgradeTarget(request)
    if (place === undefined) throw httpErrors.not_found()
    const { origin, host } = request.headers
    if (!isAllowedOrigin(options, { origin, host })) throw socketErrors.origin_not_allowed()
    return place
  }

  return {
    clientOf,
    async admit(request) {
      await checkRate(request)
      if (lifecycle.isStopping) throw httpErrors.stopping()
      const place = checkTarget(request)
      const token = tokenOf(request, place)
      if (token === undefined) throw httpErrors.auth_required()
      const identity = await authenticateBearer({ services, tokens }, token, clientOf(request))
      if (lifecycle.isStopping) throw httpErrors.stopping()
      return { ...identity, room: place.room }
    },
  }
}

/**
 * The token of a handshake, from the first of these: `Authorization: Bearer …`, the subprotocols `bearer, <token>`, `?token=`. Browsers can
 * send only the last two.
 */
function tokenOf({ headersDistinct }: UpgradeRequest, { token }: UpgradeTarget): string | undefined {
  const protocols = (headersDistinct['sec-websocket-protocol'] ?? []).join(',').split(',')
  const words = protocols.map((word) => word.trim())
  const mark = words.indexOf(BEARER_PROTOCOL)
  return readBearerToken(headersDistinct) ?? (mark === -1 ? undefined : words[mark + 1]) ?? token
}

/** Subprotocol that announces the token as the next one. The server selects it in its response. */
export const BEARER_PROTOCOL = 'bearer'
