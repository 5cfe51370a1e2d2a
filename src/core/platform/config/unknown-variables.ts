import type { Environment } from './environment.ts'
import { findNearestName } from './nearest-name.ts'
import type { Option } from './option-kinds.ts'
import { OPTIONS } from './options.ts'

const PREFIX = 'PHLIX_'

/** Variables that are not options: locations of files, settings of commands, and variables in the sample lines of the quickstart. */
const OTHER_NAMES = [
  'PHLIX_CONFIG',
  'PHLIX_DATA_DIR',
  'PHLIX_PROGRESS',
  'PHLIX_PROGRESS_FPS',
  'PHLIX_CONTENT_TYPE',
  'PHLIX_PASSWORD',
  'PHLIX_API_TOKEN',
  'PHLIX_DEBUG',
]

/**
 * Variables set by other programs: completion scripts, benchmarks, the parent of a child process, and Kubernetes for a service called
 * `phlix`.
 */
const SET_BY_OTHERS = /^PHLIX_(?:AC_.*|BENCH_.*|RUN_TOKEN|PORT)$/

/**
 * Variables that Kubernetes sets in every container of a namespace for a service called `phlix` or `phlix-…`, such as
 * `PHLIX_DB_SERVICE_HOST` (Kubernetes, "Discovering services").
 */
const SET_BY_KUBERNETES =
  /^PHLIX_(?:[A-Z0-9_]+_)?(?:SERVICE_HOST|SERVICE_PORT(?:_[A-Z0-9_]+)?|PORT_[0-9]+_(?:TCP|UDP|SCTP)(?:_(?:ADDR|PORT|PROTO))?)$/

/** A variable with such a name belongs to a Kubernetes service only if its value is an address: `PHLIX_DB_PORT=tcp://10.0.0.1:5432`. */
const PORT_OF_SERVICE = /^PHLIX_[A-Z0-9_]+_PORT$/
const ADDRESS_OF_SERVICE = /^(?:tcp|udp|sctp):\/\//

/** Service names and port names are DNS labels, at most 63 characters each. */
const MAX_NAME_LENGTH = 200

const KNOWN = new Set<string>([...OTHER_NAMES, ...Object.values(OPTIONS).flatMap(namesOf)])

function namesOf({ env, secret }: Option): string[] {
  const own = env.filter((name) => name.startsWith(PREFIX))
  return secret ? own.flatMap((name) => [name, `${name}_FILE`]) : own
}

/**
 * Returns one sentence for each variable with the prefix PHLIX_ that is not read. Without it a mistyped variable would have no effect and
 * no message.
 */
export function findUnknownVariables(environment: Environment): string[] {
  return Object.entries(environment).flatMap(([name, value]) => {
    if (value === undefined || value === '') return []
    const isRead = !name.startsWith(PREFIX) || KNOWN.has(name) || SET_BY_OTHERS.test(name)
    if (isRead || isOfKubernetes(name, value)) return []
    const near = findNearestName(name, [...KNOWN]) ?? nameOfOption(name)
    return [`${name} is not a variable that is read${near === undefined ? '' : ` (did you mean ${near}?)`}`]
  })
}

/** The single option whose path ends like the variable: `PHLIX_WEBSOCKET_PORT` suggests `server.websocket_port`. */
function nameOfOption(name: string): string | undefined {
  const suffix = name.slice(PREFIX.length).toLowerCase()
  const [found, ...others] = Object.entries(OPTIONS).filter(([path]) =>
    `_${path.replaceAll('.', '_')}`.endsWith(`_${suffix}`),
  )
  if (suffix === '' || found === undefined || others.length > 0) return undefined
  const [path, { env }] = found
  return env[0] ?? `the option ${path}, which no variable sets`
}

function isOfKubernetes(name: string, value: string): boolean {
  if (name.length > MAX_NAME_LENGTH) return false
  return SET_BY_KUBERNETES.test(name) || (PORT_OF_SERVICE.test(name) && ADDRESS_OF_SERVICE.test(value))
}
