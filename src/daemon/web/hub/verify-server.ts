/** What the hub says about the addresses of a server. */
export type AccessInfo = {
  server_id: string
  identity_path: string
  candidates: readonly { kind: string; url: string }[]
  public_keys: readonly { kid: string; x: string }[]
}

/** An address that does not answer in this time is not used. */
const PROBE_MILLISECONDS = 4000

/** A proof has about 150 bytes. Another host may send anything. */
const MAX_REPLY_BYTES = 4096

const NONCE_BYTES = 32

/**
 * Asks all direct addresses of a server at the same time.
 * @returns the first one, in the order of the hub, at which the server has proved who it is; undefined if there is none, and in a browser
 * that cannot check the signature
 */
export async function findDirectAddress(info: AccessInfo): Promise<string | undefined> {
  const direct = info.candidates.filter(({ kind }) => kind !== 'relay')
  const probes = direct.map(async ({ url }) => ((await isServerAt(url, info)) ? url : undefined))
  for (const probe of probes) {
    const url = await probe
    if (url !== undefined) return url
  }
  return undefined
}

/** Whether the host at an address is the server: it signs a new nonce, together with the host, with a key that the hub knows. */
export async function isServerAt(url: string, info: AccessInfo): Promise<boolean> {
  try {
    const nonce = toBase64Url(crypto.getRandomValues(new Uint8Array(NONCE_BYTES)))
    const address = new URL(info.identity_path, url)
    address.search = String(new URLSearchParams({ server_id: info.server_id, nonce }))
    const reply = await fetch(address, {
      // Another host could send the question on to the server.
      redirect: 'error',
      credentials: 'omit',
      cache: 'no-store',
      signal: AbortSignal.timeout(PROBE_MILLISECONDS),
    })
    const isJson = /^application\/json\s*(?:;|$)/i.test(reply.headers.get('content-type') ?? '')
    if (reply.status !== 200 || !isJson) {
      await reply.body?.cancel()
      return false
    }
    const { kid, signature } = JSON.parse(await readText(reply)) as Record<string, unknown>
    const key = info.public_keys.find((known) => known.kid === kid)
    if (key === undefined || typeof signature !== 'string') return false
    const text = ['phlix server identity v1', info.server_id.toLowerCase(), nonce, address.host.toLowerCase()].join(
      '\n',
    )
    return await isSigned(text, signature, key.x)
  } catch {
    return false
  }
}

async function isSigned(text: string, signature: string, x: string): Promise<boolean> {
  const key = await crypto.subtle.importKey('raw', fromBase64Url(x), 'Ed25519', false, ['verify'])
  return crypto.subtle.verify('Ed25519', key, fromBase64Url(signature), new TextEncoder().encode(text))
}

/** @throws Error for a body that is too large */
async function readText({ body }: Response): Promise<string> {
  const reader = body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let length = 0
  for (;;) {
    const part = await reader?.read()
    if (part?.value === undefined) return text + decoder.decode()
    length += part.value.length
    if (length > MAX_REPLY_BYTES) {
      await reader?.cancel()
      throw new Error('the reply is too large')
    }
    text += decoder.decode(part.value, { stream: true })
  }
}

function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const bytes = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(bytes, (character) => character.charCodeAt(0))
}
