import { AppError } from '../platform/errors/index.ts'
import { networkErrors } from './errors.ts'
import { GATEWAY_LIMITS, type GatewayLimits } from './gateway-client.ts'

/**
 * Limits the time of several exchanges with the router. It can be nested; the limit that began first counts.
 * @throws AppError `gateway_silent` when the time is over; the signal's reason
 */
export async function withTotalTimeout<Result>(
  { gatewayLimits = GATEWAY_LIMITS }: { gatewayLimits?: GatewayLimits },
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const limit = AbortSignal.timeout(gatewayLimits.totalMilliseconds)
  try {
    return await work(AbortSignal.any([limit, ...(signal === undefined ? [] : [signal])]))
  } catch (error) {
    if (!limit.aborted || signal?.aborted === true || error instanceof AppError) throw error
    throw networkErrors.gateway_silent({ message: 'The gateway answers too slowly.', cause: error })
  }
}
