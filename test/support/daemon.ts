import { timeSetup } from '../runner/setup-times.ts'
import { startPhlix, type RunningPhlix } from './phlix.ts'
import { waitUntil } from './wait-until.ts'

/** A whole daemon as a process of its own. */
export type Daemon = RunningPhlix & {
  /** `http://127.0.0.1:PORT` */
  address: string
  /** What it has logged so far: lines of JSON. */
  log: () => string
}

/**
 * Starts the real daemon on a free port; resolves as soon as it answers.
 * @throws Error with what it said when it ends before
 */
export function startDaemon(data: string, environment: Record<string, string> = {}): Promise<Daemon> {
  return timeSetup('daemon', () => startAndWait(data, environment))
}

async function startAndWait(data: string, environment: Record<string, string>): Promise<Daemon> {
  const ports = ['--port', '0', '--websocket-port', '0']
  const words = ['serve', '--host', '127.0.0.1', ...ports, '--json', '--data-dir', data]
  const running = startPhlix(words, { environment })
  let log = ''
  const address = await new Promise<string>((resolve, reject) => {
    running.child.stderr?.on('data', (text: string) => {
      log += text
      const line = /"address":"(http[^"]+)"/.exec(log)
      if (line?.[1] !== undefined) resolve(line[1])
    })
    void running.result.then(({ stderr, stdout }) => reject(new Error(`it ended: ${stderr}${stdout}`)))
  })
  return { ...running, address, log: () => log }
}

/** Ends it as an operator does. */
export async function stopDaemon({ child, result }: Daemon): Promise<void> {
  child.kill('SIGTERM')
  await result
}

/** Ends it as a crash does. */
export async function killDaemon({ child, result }: Daemon): Promise<void> {
  child.kill('SIGKILL')
  await result
}

/** Asks a daemon as its administrator. @throws Error for an answer that is no success */
export type AdminApi = (method: 'GET' | 'POST', path: string, body?: object) => Promise<Record<string, unknown>>

/** Registers the first account, which is the administrator's. */
export async function registerAdmin({ address }: Daemon): Promise<AdminApi> {
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  const api: AdminApi = async (method, path, body) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const reply = await fetch(`${address}/api/v1${path}`, { method, headers, ...sent })
    if (!reply.ok) throw new Error(`${method} ${path} was answered ${reply.status}: ${await reply.text()}`)
    return (await reply.json()) as Record<string, unknown>
  }
  const account = { username: 'ann', email: 'ann@example.test', password: 'correct horse' }
  const { access_token: token } = await api('POST', '/auth/register', account)
  headers['authorization'] = `Bearer ${String(token)}`
  return api
}

/** Makes a library of films and waits until it has been scanned; answers ids of items by their names. */
export async function scanLibrary(api: AdminApi, path: string): Promise<Map<string, string>> {
  const { id } = await api('POST', '/libraries', { name: 'Films', type: 'movie', path })
  await waitUntil('the library is scanned', async () => {
    const { scan_status: scan } = await api('GET', `/libraries/${String(id)}/scan-status`)
    const status = (scan as { status: string } | null)?.status
    if (status === 'failed' || status === 'cancelled') throw new Error(`the scan ended ${status}`)
    return status === 'completed'
  })
  const { items } = await api('GET', `/media?library_id=${String(id)}&limit=100`)
  return new Map((items as { id: string; name: string }[]).map((item) => [item.name, item.id]))
}
