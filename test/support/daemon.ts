import { timeSetup } from '../runner/setup-times.ts'
import { startPhlix, type RunningPhlix } from './phlix.ts'
import { waitUntil } from './wait-until.ts'

/** A real daemon in a separate process. */
export type Daemon = RunningPhlix & {
  /** `http://127.0.0.1:PORT` */
  address: string
  /** The log lines so far, in JSON. */
  log: () => string
}

/**
 * Starts the real daemon on a free port; resolves when it responds.
 * @param options.port the port of an earlier daemon
 * @throws Error with its output if it ends before
 */
export function startDaemon(
  data: string,
  environment: Record<string, string> = {},
  { port = '0' }: { port?: string } = {},
): Promise<Daemon> {
  return timeSetup('daemon', () => startAndWait(data, environment, port))
}

async function startAndWait(data: string, environment: Record<string, string>, port: string): Promise<Daemon> {
  const ports = ['--port', port, '--websocket-port', '0']
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

/** Stops it with SIGTERM. */
export async function stopDaemon({ child, result }: Daemon): Promise<void> {
  child.kill('SIGTERM')
  await result
}

/** Kills it with SIGKILL. */
export async function killDaemon({ child, result }: Daemon): Promise<void> {
  child.kill('SIGKILL')
  await result
}

/**
 * Sends a request as the administrator.
 * @throws Error for an unsuccessful response
 */
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

/** Creates a library of films and waits until it is scanned; returns the ids of the items by name. */
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
