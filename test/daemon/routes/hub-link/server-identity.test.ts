import { createPublicKey, verify } from 'node:crypto'
import t from 'tap'
import { serverIdentityText, toPublicJwk } from '../../../../src/core/hub-protocol/index.ts'
import { readServerKey, rotateServerKey } from '../../../../src/core/platform/keys/index.ts'
import { pick, startApp } from '../../../support/app.ts'
import { freePort } from '../../../support/free-port.ts'
import { startTestHub } from '../../../support/hub.ts'
import { ask } from '../../../support/relay/ask.ts'
import { startPairedServer } from '../../../support/relay/paired-server.ts'

const PATH = '/api/v1/server-identity'
const NONCE = 'n'.repeat(43)

const hub = await startTestHub(t)
const ada = await hub.addUser('ada')
const forwarded = `127.0.0.1:${await freePort()}`
const home = await startPairedServer(t, hub, ada, { PHLIX_PUBLIC_URL: `http://${forwarded}` })
const { serverId } = home

const query = (more: Record<string, string> = {}): string =>
  `${PATH}?${String(new URLSearchParams({ server_id: serverId, nonce: NONCE, ...more }))}`

/** Asks with this Host, as somebody who has connected to that address. */
const askAs = async (host: string, { path = query(), headers = {} }: { path?: string; headers?: object } = {}) => {
  const reply = await ask(home.baseUrl, path, { headers: { host, ...headers } })
  return { ...reply, json: JSON.parse(String(reply.body)) as unknown }
}

void t.test('a server signs the nonce, its id and the asked host with the key that the hub publishes', async (t) => {
  const { status, json, headers } = await askAs(forwarded)
  t.equal(status, 200)
  t.match(headers, { 'content-type': /^application\/json/, 'cache-control': 'no-store' })
  const info = await hub.ask('GET', `/api/v1/me/servers/${serverId}/access-info`, { token: ada.token })
  t.equal(pick(info.json, 'identity_path'), PATH)
  const [known] = pick(info.json, 'public_keys') as { kid: string; x: string }[]
  t.equal(pick(json, 'kid'), known?.kid)
  t.strictSame(Object.keys(json as object), ['kid', 'signature'], 'and says nothing else')
  const key = createPublicKey({ format: 'jwk', key: toPublicJwk(known ?? { kid: '', x: '' }) })
  const isSigned = (asked: { serverId: string; nonce: string; host: string }): boolean =>
    verify(null, Buffer.from(serverIdentityText(asked)), key, Buffer.from(String(pick(json, 'signature')), 'base64url'))
  t.ok(isSigned({ serverId, nonce: NONCE, host: forwarded }))
  t.notOk(isSigned({ serverId, nonce: 'm'.repeat(43), host: forwarded }))
  t.notOk(isSigned({ serverId, nonce: NONCE, host: '192.168.1.5:8096' }))
  const longer = await askAs(forwarded, { path: query({ nonce: 'n'.repeat(86) }) })
  t.equal(longer.body.length, Buffer.byteLength(JSON.stringify(json)), 'the reply has the same length for every nonce')
})

void t.test('a server signs for its own addresses only', async (t) => {
  for (const host of ['evil.example', `${forwarded}0`, '127.0.0.1', `user@${forwarded}`, `${forwarded}/`])
    t.ok([400, 404].includes((await askAs(host)).status), host)
  const others = ['0b0d5f3e-7a4e-4c8b-9a6f-3f1f8c2e0001', '-'.repeat(36)]
  for (const id of others) t.equal((await askAs(forwarded, { path: query({ server_id: id }) })).status, 404, id)
})

void t.test('an address of the local network is not proved to a client on the Internet', async (t) => {
  const from = (address: string) => askAs(forwarded, { headers: { 'x-forwarded-for': address } })
  t.equal((await from('192.168.1.77')).status, 200)
  t.equal((await from('203.0.113.7')).status, 404)
  t.equal((await from('nobody')).status, 404, 'an unknown address')
  const unknownProxy = await askAs(forwarded, { headers: { via: '1.1 a proxy' } })
  t.equal(unknownProxy.status, 404, 'through a proxy that names no client')
})

void t.test('oversize, short and malformed nonces are refused', async (t) => {
  for (const nonce of [
    '',
    'short',
    'n'.repeat(87),
    'n'.repeat(5000),
    `${NONCE}\n${NONCE}`,
    `${NONCE}=`,
    'ü'.repeat(43),
  ])
    t.equal((await askAs(forwarded, { path: query({ nonce }) })).status, 400, nonce.slice(0, 20))
  t.equal((await askAs(forwarded, { path: `${PATH}?server_id=${serverId}` })).status, 400)
  const twice = `${query()}&nonce=${NONCE}`
  t.equal((await askAs(forwarded, { path: twice })).status, 400, 'two nonces')
})

void t.test('the page of the hub may read the proof, and no other page', async (t) => {
  const own = await askAs(forwarded, { headers: { origin: hub.url } })
  t.match(own.headers, { 'access-control-allow-origin': hub.url, vary: /Origin/ })
  t.notOk('access-control-allow-credentials' in own.headers)
  const other = await askAs(forwarded, { headers: { origin: 'https://evil.example' } })
  t.notOk('access-control-allow-origin' in other.headers)
})

void t.test('the relay does not forward the question', async (t) => {
  const { status } = await hub.ask('GET', `/api/v1/servers/${serverId}/proxy${query()}`, { token: ada.token })
  t.equal(status, 403)
})

void t.test('after a rotation the key that the hub knows still signs', async (t) => {
  const { kid } = await readServerKey(home.services)
  await rotateServerKey(home.services)
  t.equal(pick((await askAs(forwarded)).json, 'kid'), kid)
  await home.services.hubLink.sendHeartbeat()
  t.not(pick((await askAs(forwarded)).json, 'kid'), kid, 'until the hub knows the new one')
})

void t.test('a server without a hub proves nothing', async (t) => {
  const app = await startApp(t)
  t.equal((await app.ask('GET', query())).status, 404)
})

void t.test('questions are limited with the reads of the key set', async (t) => {
  const statuses = new Set<number>()
  for (let count = 0; count < 130; count += 1) statuses.add((await askAs(forwarded)).status)
  t.ok(statuses.has(429))
})
