import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { systemErrorCode } from '../../platform/errors/index.ts'
import { readProcessLock, runTool } from '../../platform/spawn/index.ts'
import type { DoctorCheck, DoctorContext } from '../doctor-context.ts'
import { errorResult, problemsOrOk, type CheckResult } from '../finding.ts'
import { serveLockPath } from '../serve-lock-path.ts'

const OPTIONS = ['server.port', 'server.websocket_port'] as const

/** Whether the ports are free, unless the server of this data directory runs and uses them itself. */
export const portsCheck: DoctorCheck = {
  id: 'ports',
  async run(context) {
    const { config } = context
    const { options } = config
    if (readProcessLock(serveLockPath(config)).state === 'held') {
      return problemsOrOk([], 'the server of this data directory uses them')
    }
    const problems = await Promise.all(OPTIONS.map((option) => problemsOfPort(context, option)))
    return problemsOrOk(problems.flat(), OPTIONS.map((option) => options[option]).join(', '))
  },
}

async function problemsOfPort(
  { config, serviceAccount, phlix }: DoctorContext,
  option: (typeof OPTIONS)[number],
): Promise<CheckResult[]> {
  const [host, port] = [config.options['server.host'], config.options[option]]
  const code = await bind(host, port)
  // Root may listen on every port, unlike the account of the server.
  const isClosed = serviceAccount !== undefined && port !== 0 && port < (await firstOpenPort())
  if (code === 'EACCES' || (code === undefined && isClosed)) {
    const line = `net.ipv4.ip_unprivileged_port_start=${port}`
    return [
      errorResult(`port ${port} needs a permission`, `echo ${line} >/etc/sysctl.d/60-phlix.conf && sysctl --system`),
    ]
  }
  if (code === undefined) return []
  if (code === 'EADDRNOTAVAIL') return [errorResult(`this machine has no address ${host}`, 'unset PHLIX_SERVER_HOST')]
  // Its owner decides whether the other program may be stopped.
  const flag = option === 'server.port' ? '--port' : '--websocket-port'
  const fix = phlix(`serve ${flag} ${await freePort(host, port)}`)
  const holder = await holderOf(port)
  const by = holder === undefined ? 'in use' : `used by ${holder.name}, process ${holder.pid}`
  return [errorResult(`port ${port} is ${by}; choose another ${option}, or stop that program`, fix)]
}

/** The lowest port that every account may listen on (ip(7)). */
async function firstOpenPort(): Promise<number> {
  const text = await readFile('/proc/sys/net/ipv4/ip_unprivileged_port_start', 'utf8').catch(() => '')
  return /^\d+$/.test(text.trim()) ? Number(text) : 1024
}

const TRIES = 20

/**
 * The next free port in steps of ten, because the two ports of a server are neighbours. If none is found: 0, which selects any free port.
 */
async function freePort(host: string, port: number): Promise<number> {
  for (let step = 1; step <= TRIES; step += 1) {
    const candidate = port + 10 * step
    if (candidate < 65_536 && (await bind(host, candidate)) === undefined) return candidate
  }
  return 0
}

/** The error code of listening at an address; undefined if it works. */
function bind(host: string, port: number): Promise<string | undefined> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', (reason) => resolve(systemErrorCode(reason) ?? 'unknown'))
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)))
  })
}

/** The process that listens on a port, as far as this account may see it. */
async function holderOf(port: number): Promise<{ name: string; pid: number } | undefined> {
  const { stdout } = await runTool({
    program: 'ss',
    arguments: ['--listening', '--tcp', '--numeric', '--processes', '--no-header', `sport = :${port}`],
    timeoutSeconds: 3,
  })
  const owner = /users:\(\("([^"]{1,64})",pid=(\d{1,9})/.exec(stdout.toString())
  return owner === null ? undefined : { name: owner[1] ?? '', pid: Number(owner[2]) }
}
