import type { Test } from 'tap'
import { pollPairing, startPairing } from '../../../src/core/hub-link/index.ts'
import { createServerKey } from '../../../src/core/platform/keys/index.ts'
import { pick, startApp, type Caller, type TestApp } from '../app.ts'
import { PROTOCOL, type HubUserOfTest, type TestHub } from '../hub.ts'
import { testServices } from '../services.ts'
import { waitUntil } from '../wait-until.ts'

/** A home server that is paired with a hub and has a tunnel to it. */
export type PairedServer = TestApp & { serverId: string; admin: Caller; isConnected(): Promise<boolean> }

/** Starts a home server whose owner at the hub is its administrator. It ends with the test. */
export async function startPairedServer(
  t: Test,
  hub: TestHub,
  owner: HubUserOfTest,
  environment: Record<string, string> = {},
): Promise<PairedServer> {
  const services = await testServices(t, { environment })
  await createServerKey(services)
  const app = await startApp(t, { services })
  const admin = await app.registerAdmin()
  const port = Number(new URL(app.baseUrl).port)
  const hubUrl = hub.url
  const { claimCode, claimId } = await startPairing(services, { hubUrl, serverName: 'Attic', serverPort: port })
  const body = { claim_code: claimCode }
  const claimed = await hub.ask('POST', '/api/v1/server-claims/claim', { token: owner.token, body, headers: PROTOCOL })
  await pollPairing(services, { claimId, hubUrl, accountId: admin.account.id })
  services.hubLink.enrolment.check()
  await services.hubLink.sendHeartbeat()
  const tunnelsBefore = hub.relay().counts().tunnels
  services.relayLink.start({ host: '127.0.0.1', port })
  t.teardown(() => services.relayLink.stop())
  t.teardown(() => services.hubLink.stop())
  const isConnected = async (): Promise<boolean> => (await services.relayLink.report()).isConnected
  await waitUntil(
    'the tunnel is open',
    async () => (await isConnected()) && hub.relay().counts().tunnels > tunnelsBefore,
  )
  return { ...app, services, admin, isConnected, serverId: String(pick(claimed.json, 'server_id')) }
}
