import { spawnSync } from 'node:child_process'
import { childEnvironment } from '../config/index.ts'
import { hasSetpriv, withDeathSignal, type Command } from './death-signal.ts'

/** What is taken from isolated programs on this system. */
export type IsolationLimits = Readonly<{
  /** They have a network namespace of their own, whose only interface is down. */
  isWithoutNetwork: boolean
  /** They gain no rights from files that they start, and root's are only those to read and write files. */
  isWithoutRights: boolean
}>

/** How programs are started that read files of unknown origin. */
export type Isolation = Readonly<{
  /** What the system allows. Found at the first use, which blocks the thread for some 20 ms. */
  limits(): IsolationLimits
  /** The same command with these limits; it dies with this process. */
  wrap(command: Command): Command
}>

export type IsolationInput = {
  /** Root makes a network namespace directly; other accounts need a user namespace around it. */
  isRoot?: boolean
  /** Whether a command can be started and ends with exit code 0. */
  canRun?: (command: Command) => boolean
}

const UNSHARE = '/usr/bin/unshare'

/** For root without a user namespace: in one, it could not read files of other accounts any more. */
const NETWORK_OF_ROOT = ['--net']
const NETWORK_OF_OTHERS = ['--user', '--map-current-user', '--net']

const RIGHTS_OF_OTHERS = ['--no-new-privs', '--inh-caps=-all']
/** Media belongs to any account, and so may the cache. */
const RIGHTS_OF_ROOT = [...RIGHTS_OF_OTHERS, '--bounding-set=-all,+dac_override,+dac_read_search']

/** From strong to weak. Containers refuse namespaces, old kernels and other systems all of it. */
const LIMITS: readonly IsolationLimits[] = [
  { isWithoutNetwork: true, isWithoutRights: true },
  { isWithoutNetwork: false, isWithoutRights: true },
  { isWithoutNetwork: true, isWithoutRights: false },
]

const NO_LIMITS: IsolationLimits = { isWithoutNetwork: false, isWithoutRights: false }

const NOTHING: Command = { program: 'true', arguments: [] }

const PROBE_MILLISECONDS = 10_000

/** Finds out once what the system allows; programs start without the limits that it refuses. */
export function createIsolation({
  isRoot = process.geteuid?.() === 0,
  canRun = endsWell,
}: IsolationInput = {}): Isolation {
  let found: IsolationLimits | undefined
  const limits = (): IsolationLimits => {
    found ??= LIMITS.filter(({ isWithoutRights }) => !isWithoutRights || hasSetpriv()).find((one) =>
      canRun(limited(NOTHING, isRoot, one)),
    )
    return (found ??= NO_LIMITS)
  }
  return { limits, wrap: (command) => limited(command, isRoot, limits()) }
}

function limited(command: Command, isRoot: boolean, { isWithoutNetwork, isWithoutRights }: IsolationLimits): Command {
  const rights = isRoot ? RIGHTS_OF_ROOT : RIGHTS_OF_OTHERS
  const inner = withDeathSignal(command, isWithoutRights ? rights : [])
  if (!isWithoutNetwork) return inner
  // Without --fork it becomes the program, so that the process id, the group and the parent stay.
  const network = isRoot ? NETWORK_OF_ROOT : NETWORK_OF_OTHERS
  return { program: UNSHARE, arguments: [...network, '--', inner.program, ...inner.arguments] }
}

function endsWell({ program, arguments: words }: Command): boolean {
  const options = { cwd: '/', env: childEnvironment(), stdio: 'ignore', timeout: PROBE_MILLISECONDS } as const
  return spawnSync(program, words, options).status === 0
}
