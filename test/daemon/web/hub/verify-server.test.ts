import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import t, { type Test } from 'tap'
import { serverIdentityText } from '../../../../src/core/hub-protocol/index.ts'
import { findDirectAddress, isServerAt, type AccessInfo } from '../../../../src/daemon/web/hub/verify-server.ts'
import { listen, portOf } from '../../../support/relay/hub-side.ts'

const SERVER = '0b0d5f3e-7a4e-4c8b-9a6f-3f1f8c2e0001'
const KID = '2026-11-21T15:04:17.934Z'
const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const x = publicKey.export({ format: 'jwk' }).x ?? ''

const infoOf = (...urls: string[]): AccessInfo => ({
  server_id: SERVER,
  identity_path: '/api/v1/server-identity',
  candidates: [...urls.map((url) => ({ kind: 'lan', url })), { kind: 'relay', url: 'http://hub.invalid/relay' }],
  public_keys: [{ kid: KID, x }],
})

type Question = { serverId: string; nonce: string; host: string }

/** What a host sends; by default what the server itself would send. */
type Behaviour = {
  key?: KeyObject
  kid?: string
  change?: (asked: Question) => Question
  contentType?: string
  wrap?: (body: string) => string
  status?: number
}

/** A host that answers the question in some way. */
async function startHost(t: Test, answer: Behaviour | RequestListener): Promise<string> {
  const server = await listen(createServer(typeof answer === 'function' ? answer : answerWith(answer)))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${portOf(server)}`
}

function answerWith(behaviour: Behaviour): RequestListener {
  const { key = privateKey, kid = KID, change = (asked) => asked, status = 200, wrap = (body) => body } = behaviour
  return (request, reply) => {
    const { searchParams } = new URL(request.url ?? '', 'http://x')
    const [serverId, nonce] = [searchParams.get('server_id') ?? '', searchParams.get('nonce') ?? '']
    const text = serverIdentityText(change({ serverId, nonce, host: request.headers.host ?? '' }))
    const signature = sign(null, Buffer.from(text), key).toString('base64url')
    reply.writeHead(status, { 'content-type': behaviour.contentType ?? 'application/json; charset=utf-8' })
    reply.end(wrap(JSON.stringify({ kid, signature })))
  }
}

void t.test('the server itself is accepted', async (t) => {
  const url = await startHost(t, {})
  t.ok(await isServerAt(url, infoOf(url)))
  t.ok(await isServerAt(`${url}/`, infoOf(url)), 'with a slash')
})

const stranger = generateKeyPairSync('ed25519').privateKey
const attackers: Record<string, Behaviour | RequestListener> = {
  'another server with its own key': { key: stranger },
  'another server with its own key and its own key id': { key: stranger, kid: 'other' },
  'a replay of the signature of another nonce': { change: (asked) => ({ ...asked, nonce: 'A'.repeat(43) }) },
  'a signature for another host': { change: (asked) => ({ ...asked, host: '192.168.1.5:8096' }) },
  'a signature of another server id': { change: (asked) => ({ ...asked, serverId: SERVER.replace('1', '2') }) },
  'a proof as HTML': { contentType: 'text/html' },
  'a proof with a content type that only begins like JSON': { contentType: 'application/jsonp' },
  'a proof with the status of an error': { status: 500 },
  'a proof behind too many bytes': { wrap: (body) => `${' '.repeat(5000)}${body}` },
  'a body that is no JSON': { wrap: () => '<html>' },
  'a body without a signature': { wrap: () => JSON.stringify({ kid: KID }) },
  'an empty signature': { wrap: () => JSON.stringify({ kid: KID, signature: '' }) },
  'a host that sends the question on to the server': (request, reply) => {
    if (request.url?.startsWith('/real') === true) return answerWith({})(request, reply)
    const { search } = new URL(request.url ?? '', 'http://x')
    reply.writeHead(302, { location: `/real${search}` }).end()
  },
  'a host that closes the connection': (request) => void request.socket.destroy(),
}

for (const [claim, behaviour] of Object.entries(attackers)) {
  void t.test(`${claim} is refused`, async (t) => {
    const url = await startHost(t, behaviour)
    t.notOk(await isServerAt(url, infoOf(url)))
  })
}

void t.test('a proof for one address is none for another one, also of the same host', async (t) => {
  const real = await startHost(t, {})
  const relaying = await startHost(t, (request, reply) => {
    void fetch(`${real}${request.url ?? ''}`)
      .then((answer) => answer.text())
      .then((body) => reply.writeHead(200, { 'content-type': 'application/json' }).end(body))
  })
  t.notOk(await isServerAt(relaying, infoOf(relaying)))
})

void t.test('each question has a nonce of its own', async (t) => {
  const nonces = new Set<string>()
  const url = await startHost(t, (request, reply) => {
    nonces.add(new URL(request.url ?? '', 'http://x').searchParams.get('nonce') ?? '')
    answerWith({})(request, reply)
  })
  await isServerAt(url, infoOf(url))
  await isServerAt(url, infoOf(url))
  t.equal(nonces.size, 2)
  for (const nonce of nonces) t.match(nonce, /^[\w-]{43}$/)
})

void t.test('the first address with the server is found, and the relay is not asked', async (t) => {
  const [wrong, right, second] = await Promise.all([{ key: stranger }, {}, {}].map((host) => startHost(t, host)))
  t.equal(await findDirectAddress(infoOf(wrong ?? '', 'http://127.0.0.1:1', right ?? '', second ?? '')), right)
  t.equal(await findDirectAddress(infoOf(wrong ?? '')), undefined)
  t.equal(await findDirectAddress(infoOf()), undefined)
  t.equal(await findDirectAddress({ ...infoOf(right ?? ''), public_keys: [] }), undefined, 'without keys')
})
