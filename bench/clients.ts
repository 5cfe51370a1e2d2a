import { setTimeout as pause } from 'node:timers/promises'

/** A client of the measured daemon. @throws Error for a reply that is not successful */
export type Api = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => Promise<unknown>

/** The password of the account `ann` that benches create. */
export const PASSWORD = 'correct horse'

/** Signs in as `ann`. */
export async function logIn(baseUrl: string): Promise<Api> {
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  const api: Api = async (method, path, body) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const reply = await fetch(`${baseUrl}${path}`, { method, headers, ...sent })
    if (!reply.ok) throw new Error(`${method} ${path} was answered ${reply.status}: ${await reply.text()}`)
    return reply.status === 204 ? undefined : reply.json()
  }
  const answer = (await api('POST', '/api/v1/auth/login', { username: 'ann', password: PASSWORD })) as {
    access_token: string
  }
  headers['authorization'] = `Bearer ${answer.access_token}`
  return api
}

/** Creates a library of films. Its scan is queued. */
export async function addLibrary(api: Api, path: string): Promise<string> {
  const made = (await api('POST', '/api/v1/libraries', { name: path, type: 'movie', path })) as { id: string }
  return made.id
}

/** Waits for the first scan of a library. @throws Error when it does not complete */
export async function untilScanned(api: Api, libraryId: string): Promise<void> {
  for (;;) {
    const reply = (await api('GET', `/api/v1/libraries/${libraryId}/scan-status`)) as {
      scan_status: { status: string } | null
    }
    const status = reply.scan_status?.status
    if (status === 'completed') return
    if (status === 'failed' || status === 'cancelled') throw new Error(`the scan ended ${status}`)
    await pause(250)
  }
}

/** @param share 0.99 for the value that one of a hundred exceeds */
export function percentile(waits: readonly number[], share: number): number {
  return waits.toSorted((one, other) => one - other)[Math.floor(waits.length * share)] ?? Number.NaN
}
