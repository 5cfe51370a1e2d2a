import { createHash, randomBytes } from 'node:crypto'

/** A client that follows redirects by itself and keeps cookies, for the steps of a sign-in. */
export type StepBrowser = {
  /** Requests an address; relative ones are at the server under test. Redirects are not followed. */
  get(address: string): Promise<Response>
  /** Follows redirects from an address until one leads to the server under test. */
  walkToServer(address: string): Promise<string>
  cookies: Map<string, string>
}

/** The secret of a client, and its challenge. */
export function makeVerifier(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

/** @param input.publicUrl the origin by which addresses name the server at `baseUrl` */
export function createStepBrowser({ publicUrl, baseUrl }: { publicUrl: string; baseUrl: string }): StepBrowser {
  const cookies = new Map<string, string>()
  const get = async (address: string): Promise<Response> => {
    const url = new URL(address, publicUrl)
    const host = url.origin === publicUrl ? new URL(baseUrl).origin : url.origin
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const reply = await fetch(`${host}${url.pathname}${url.search}`, { redirect: 'manual', headers: { cookie } })
    for (const text of reply.headers.getSetCookie()) {
      const [pair = ''] = text.split(';')
      const at = pair.indexOf('=')
      if (/max-age=0|expires=Thu, 01 Jan 1970/i.test(text)) cookies.delete(pair.slice(0, at))
      else cookies.set(pair.slice(0, at), pair.slice(at + 1))
    }
    return reply
  }
  return {
    get,
    cookies,
    async walkToServer(address) {
      let next = address
      for (let steps = 0; steps < 10; steps += 1) {
        const reply = await get(next)
        const location = reply.headers.get('location')
        if (location === null) throw new Error(`${next} answered ${reply.status}: ${await reply.text()}`)
        next = new URL(location, new URL(next, publicUrl)).href
        if (next.startsWith(publicUrl) || next.startsWith('phlix:')) return next
      }
      throw new Error('too many redirects')
    },
  }
}
