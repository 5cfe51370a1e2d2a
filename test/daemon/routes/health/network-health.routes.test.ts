import t from 'tap'
import { pick, startApp } from '../../../support/app.ts'

void t.test('a server without a hub is not offline, for anyone, in both places where clients look', async (t) => {
  const { ask } = await startApp(t)
  const relay = await ask('GET', '/api/v1/health/relay')
  t.equal(relay.status, 200)
  const { success, data, ...bare } = relay.json as Record<string, unknown>
  t.equal(success, true)
  t.strictSame(data, bare)
  t.match(bare, {
    relay: { connected: true, active: false, reconnectAttempts: 0, activeSessions: 0, lastDisconnectTime: null },
    hub: { isEnrolled: true, consecutiveFailures: 0, lastSuccessfulHeartbeat: null, enrollmentExpiresAt: null },
  })
  t.strictSame([pick(bare, 'relay', 'configured'), pick(bare, 'hub', 'configured')], [false, false], 'and has none')

  const network = await ask('GET', '/api/v1/health/network')
  t.match(network, { status: 200, json: { success: true, status: 'healthy', latencyMs: 0 } })
  t.match(pick(network.json, 'measuredAt'), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  const { success: isSuccess, data: same, ...told } = network.json as Record<string, unknown>
  t.equal(isSuccess, true)
  t.strictSame(same, told)
})
