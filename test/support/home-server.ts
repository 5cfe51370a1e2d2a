import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { signKeyProof, publicKeyHash } from '../../src/core/hub-protocol/index.ts'
import { pick } from './app.ts'
import { PROTOCOL, type HubAnswer, type HubUserOfTest, type TestHub } from './hub.ts'

/** The calls of a home server to a hub, without a home server. */
export type FakeHome = {
  kid: string
  x: string
  privateKey: KeyObject
  claimBody(more?: object): Promise<object>
  proof(purpose: 'claim' | 'renewal' | 'keys', more?: object): Promise<string>
}

/** A key pair with the calls that prove it at this hub. */
export function fakeHome(hub: Pick<TestHub, 'url' | 'services'>, name = 'Attic'): FakeHome {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const x = publicKey.export({ format: 'jwk' }).x ?? ''
  const kid = `key-${x.slice(0, 8).replaceAll('-', '_')}`
  const subject = publicKeyHash({ x })
  const proof: FakeHome['proof'] = (purpose, more = {}) =>
    signKeyProof(
      { kid, privateKey },
      { purpose, audience: hub.url, subject, nowSeconds: hub.services.clock.unixSeconds(), ...more },
    )
  return {
    kid,
    x,
    privateKey,
    proof,
    claimBody: async (more = {}) => ({
      serverName: name,
      version: '1.0.0',
      publicKeysJwk: { keys: [{ kty: 'OKP', crv: 'Ed25519', kid, x, use: 'sig', alg: 'EdDSA' }] },
      hostnameCandidates: ['http://192.168.1.5:8096'],
      protocolVersion: 'v1',
      proof: await proof('claim'),
      ...more,
    }),
  }
}

export type PairedHome = { home: FakeHome; serverId: string; enrolmentJwt: string }

/** Pairs a home server with a user as its owner. */
export async function pairHome(hub: TestHub, owner: HubUserOfTest, home = fakeHome(hub)): Promise<PairedHome> {
  const opened = await hub.ask('POST', '/api/v1/server-claims/new', { body: await home.claimBody(), headers: PROTOCOL })
  const body = { claim_code: pick(opened.json, 'claimCode') }
  const claimed = await hub.ask('POST', '/api/v1/server-claims/claim', { token: owner.token, body, headers: PROTOCOL })
  if (claimed.status !== 200) throw new Error(`the claim was refused: ${JSON.stringify(claimed.json)}`)
  return {
    home,
    serverId: String(pick(claimed.json, 'server_id')),
    enrolmentJwt: String(pick(claimed.json, 'enrollment_jwt')),
  }
}

/** Sends a heartbeat, as a proxy at the loopback interface would forward it. */
export function sendHeartbeat(
  hub: TestHub,
  { serverId, enrolmentJwt }: Pick<PairedHome, 'serverId' | 'enrolmentJwt'>,
  more: object = {},
  clientAddress = '127.0.0.1',
): Promise<HubAnswer> {
  return hub.ask('POST', `/api/v1/servers/${serverId}/heartbeat`, {
    token: enrolmentJwt,
    headers: { ...PROTOCOL, 'x-forwarded-for': clientAddress },
    body: {
      serverId,
      version: '1.0.0',
      activeSessions: 1,
      activeTranscodes: 0,
      hostnameCandidates: ['http://192.168.1.5:8096'],
      libraries: [{ library_id: 'films', library_name: 'Films' }],
      ...more,
    },
  })
}
