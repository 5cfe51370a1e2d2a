import type { Environment } from './environment.ts'
import { nearestName } from './nearest-name.ts'
import { OPTIONS, type Option } from './options.ts'

const PREFIX = 'PHLIX_'

/** Names beside those of options: places of files, habits of commands, and what the sample lines of quickstart use. */
const OTHER_NAMES = [
  'PHLIX_CONFIG',
  'PHLIX_DATA_DIR',
  'PHLIX_PROGRESS',
  'PHLIX_PROGRESS_FPS',
  'PHLIX_CONTENT_TYPE',
  'PHLIX_PASSWORD',
  'PHLIX_DEBUG',
]

/** What others set: completion scripts, benchmarks, the parent of a child process, and Kubernetes for a service called `phlix`. */
const SET_BY_OTHERS = /^PHLIX_(?:AC_.*|BENCH_.*|RUN_TOKEN|PORT)$/

/**
 * What Kubernetes tells every container of a namespace about a service called `phlix`, or `phlix-…` as in `PHLIX_DB_SERVICE_HOST`
 * (Kubernetes, "Discovering services").
 */
const SET_BY_KUBERNETES =
  /^PHLIX_(?:[A-Z0-9_]+_)?(?:SERVICE_HOST|SERVICE_PORT(?:_[A-Z0-9_]+)?|PORT_[0-9]+_(?:TCP|UDP|SCTP)(?:_(?:ADDR|PORT|PROTO))?)$/

/** Of these only the value says that it is of a service: `PHLIX_DB_PORT=tcp://10.0.0.1:5432`. */
const PORT_OF_SERVICE = /^PHLIX_[A-Z0-9_]+_PORT$/
const ADDRESS_OF_SERVICE = /^(?:tcp|udp|sctp):\/\//

/** A name of a service is a DNS label, of 63 characters at the most; the name of its port is one too. */
const MAX_NAME_LENGTH = 200

const KNOWN = new Set<string>([...OTHER_NAMES, ...Object.values(OPTIONS).flatMap(namesOf)])

function namesOf({ env, secret }: Option): string[] {
  const own = env.filter((name) => name.startsWith(PREFIX))
  return secret ? own.flatMap((name) => [name, `${name}_FILE`]) : own
}

/** A sentence for each variable that has our prefix and that nothing reads: a mistyped one would silently do nothing. */
export function unknownNames(environment: Environment): string[] {
  return Object.entries(environment).flatMap(([name, value]) => {
    if (value === undefined || value === '') return []
    const isRead = !name.startsWith(PREFIX) || KNOWN.has(name) || SET_BY_OTHERS.test(name)
    if (isRead || isOfKubernetes(name, value)) return []
    const near = nearestName(name, [...KNOWN]) ?? nameOfOption(name)
    return [`${name} is not a variable that is read${near === undefined ? '' : ` (did you mean ${near}?)`}`]
  })
}

/** The one option whose path ends as the variable: `PHLIX_WEBSOCKET_PORT` means `server.websocket_port`. */
function nameOfOption(name: string): string | undefined {
  const words = name.slice(PREFIX.length).toLowerCase()
  const [found, ...others] = Object.entries(OPTIONS).filter(([path]) =>
    `_${path.replaceAll('.', '_')}`.endsWith(`_${words}`),
  )
  if (words === '' || found === undefined || others.length > 0) return undefined
  const [path, { env }] = found
  return env[0] ?? `the option ${path}, which no variable sets`
}

function isOfKubernetes(name: string, value: string): boolean {
  if (name.length > MAX_NAME_LENGTH) return false
  return SET_BY_KUBERNETES.test(name) || (PORT_OF_SERVICE.test(name) && ADDRESS_OF_SERVICE.test(value))
}
