import { spawnSync } from 'node:child_process'
import { childEnvironment } from '../config/index.ts'
import { systemErrorCode } from '../errors/index.ts'
import { isSetprivAvailable, withDeathSignal, type CommandLine } from './death-signal.ts'

/** The restrictions of isolated programs on this system. */
export type IsolationLimits = Readonly<{
  /** Whether programs run in their own network namespace, whose only interface is down. */
  isWithoutNetwork: boolean
  /**
   * Whether programs are prevented from gaining privileges by executing files; of root's capabilities only the ones for reading and writing
   * files remain.
   */
  isWithoutRights: boolean
}>

/** How programs that read untrusted files are started. */
export type Isolation = Readonly<{
  /** The restrictions that the system supports. Determined at the first call, which blocks the thread for about 20 ms. */
  limits(): IsolationLimits
  /** The data directory of the process that starts the programs. */
  dataDirectory?: string | undefined
  /** Wraps a command with these restrictions. The program dies with this process. */
  wrap(command: CommandLine): CommandLine
}>

export type IsolationOptions = {
  /** Names the owner of the programs for the sweep of orphans, which does not find them without it. */
  dataDirectory?: string
  /** Root creates a network namespace directly; other accounts need a user namespace around it. */
  isRoot?: boolean
  /** Whether a command exits with code 0. `unknown`: it could not be started, for example because no descriptor is free. */
  tryRun?: (command: CommandLine) => RunIsolationTest
}

export type RunIsolationTest = 'succeeded' | 'refused' | 'unknown'

const UNSHARE = '/usr/bin/unshare'

/** root gets no user namespace, because in one it could not read files of other accounts. */
const NETWORK_OF_ROOT = ['--net']
const NETWORK_OF_OTHERS = ['--user', '--map-current-user', '--net']

const RIGHTS_OF_OTHERS = ['--no-new-privs', '--inh-caps=-all']
/** Media files can belong to any account, and so can the cache. */
const RIGHTS_OF_ROOT = [...RIGHTS_OF_OTHERS, '--bounding-set=-all,+dac_override,+dac_read_search']

/** The combinations of restrictions, from strong to weak. Containers refuse namespaces; old kernels and other systems refuse everything. */
const LIMITS: readonly [IsolationLimits, ...IsolationLimits[]] = [
  { isWithoutNetwork: true, isWithoutRights: true },
  { isWithoutNetwork: false, isWithoutRights: true },
  { isWithoutNetwork: true, isWithoutRights: false },
]

const NO_LIMITS: IsolationLimits = { isWithoutNetwork: false, isWithoutRights: false }

const NO_OPERATION: CommandLine = { program: 'true', arguments: [] }

const PROBE_MILLISECONDS = 10_000

/** No descriptor, process or memory is free. */
const SCARCITY_CODES = new Set(['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM'])

/**
 * Determines once which restrictions the system supports; programs start without the unsupported ones. While it cannot be determined,
 * because no process starts, all of them are assumed, and the next call tries again: a lack of descriptors must not end the isolation.
 */
export function createIsolation({
  dataDirectory,
  isRoot = process.geteuid?.() === 0,
  tryRun = tryToRun,
}: IsolationOptions = {}): Isolation {
  let determined: IsolationLimits | undefined
  const determine = (): IsolationLimits | undefined => {
    for (const one of LIMITS) {
      if (one.isWithoutRights && !isSetprivAvailable()) continue
      const trial = tryRun(withLimits(NO_OPERATION, isRoot, one))
      if (trial === 'unknown') return undefined
      if (trial === 'succeeded') return one
    }
    return NO_LIMITS
  }
  const limits = (): IsolationLimits => (determined ??= determine()) ?? LIMITS[0]
  return { limits, dataDirectory, wrap: (command) => withLimits(command, isRoot, limits()) }
}

function withLimits(
  command: CommandLine,
  isRoot: boolean,
  { isWithoutNetwork, isWithoutRights }: IsolationLimits,
): CommandLine {
  const rights = isRoot ? RIGHTS_OF_ROOT : RIGHTS_OF_OTHERS
  const inner = withDeathSignal(command, isWithoutRights ? rights : [])
  if (!isWithoutNetwork) return inner
  // Without --fork, unshare executes the program in its own process, so that the process id, group and parent are kept.
  const network = isRoot ? NETWORK_OF_ROOT : NETWORK_OF_OTHERS
  return { program: UNSHARE, arguments: [...network, '--', inner.program, ...inner.arguments] }
}

function tryToRun({ program, arguments: args }: CommandLine): RunIsolationTest {
  const options = { cwd: '/', env: childEnvironment(), stdio: 'ignore', timeout: PROBE_MILLISECONDS } as const
  const { status, error } = spawnSync(program, args, options)
  if (error !== undefined && SCARCITY_CODES.has(systemErrorCode(error) ?? '')) return 'unknown'
  return status === 0 ? 'succeeded' : 'refused'
}
