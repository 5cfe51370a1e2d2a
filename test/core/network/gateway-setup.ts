import type { Test } from 'tap'
import type { GatewayServices } from '../../../src/core/network/connect-gateway.ts'
import type { GatewayLimits } from '../../../src/core/network/gateway-client.ts'
import { loadConfig, type Config } from '../../../src/core/platform/config/index.ts'
import { createLogger } from '../../../src/core/platform/logging/index.ts'
import { createOutbound } from '../../../src/core/platform/outbound/index.ts'
import { reachableDirectory } from '../../support/directories.ts'
import { startFakeGateway, type FakeGateway } from '../../support/fake-gateway.ts'

/** Short waits for routers that do not answer. */
export const SHORT_LIMITS: GatewayLimits = {
  firstWaitMilliseconds: 20,
  tries: 2,
  searchMilliseconds: 150,
  exchangeMilliseconds: 150,
  totalMilliseconds: 10_000,
}

/** A fake router that ends with the test. */
export async function fakeGateway(t: Test, address: string): Promise<FakeGateway> {
  const fake = await startFakeGateway(address)
  t.teardown(() => fake.close())
  return fake
}

/** The services of clients of a router, with an empty data directory. */
export async function gatewayServices(
  t: Test,
  address: string,
  limits: Partial<GatewayLimits> = {},
): Promise<GatewayServices & { config: Config }> {
  const config = loadConfig({ dataDirectory: reachableDirectory(t), environment: { PHLIX_GATEWAY: address } })
  const outbound = createOutbound({ log: await createLogger(config, { level: 'emergency' }) })
  t.teardown(() => outbound.close())
  return { config, outbound, gatewayLimits: { ...SHORT_LIMITS, ...limits } }
}
