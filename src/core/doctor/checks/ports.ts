import { createServer } from 'node:net'
import { systemErrorCode } from '../../platform/errors/index.ts'
import { readProcessLock, runTool } from '../../platform/spawn/index.ts'
import type { Check, DoctorContext } from '../doctor-context.ts'
import { error, problemsOr, type CheckResult } from '../finding.ts'
import { serveLockPath } from '../serve-lock-path.ts'

const OPTIONS = ['server.port', 'server.websocket_port'] as const

/** Whether the ports are free, unless the server of this data directory runs and uses them itself. */
export const portsCheck: Check = {
  id: 'ports',
  async run({ config }) {
    const { options } = config
    if (readProcessLock(serveLockPath(config)).state === 'held') {
      return problemsOr([], 'the server of this data directory uses them')
    }
    const found = await Promise.all(OPTIONS.map((option) => problemsOfPort(options['server.host'], options[option])))
    return problemsOr(found.flat(), OPTIONS.map((option) => options[option]).join(', '))
  },
}

async function problemsOfPort(
  host: DoctorContext['config']['options']['server.host'],
  port: number,
): Promise<CheckResult[]> {
  const code = await bind(host, port)
  if (code === undefined) return []
  if (code === 'EACCES')
    return [
      error(`port ${port} needs a permission`, 'setcap cap_net_bind_service=+ep "$(readlink -f "$(command -v node)")"'),
    ]
  if (code === 'EADDRNOTAVAIL') return [error(`this machine has no address ${host}`, 'unset PHLIX_SERVER_HOST')]
  const holder = await holderOf(port)
  if (holder === undefined) return [error(`port ${port} is in use`, `fuser --kill ${port}/tcp`)]
  return [error(`port ${port} is used by ${holder.name}, process ${holder.pid}`, `kill ${holder.pid}`)]
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
  const found = /users:\(\("([^"]{1,64})",pid=(\d{1,9})/.exec(stdout.toString())
  return found === null ? undefined : { name: found[1] ?? '', pid: Number(found[2]) }
}
