import { createHash } from 'node:crypto'
import { existsSync, realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { findProgram, startConnectedProgram } from '../../platform/spawn/index.ts'

/**
 * How a plugin's process is separated from the server. `bubblewrap`: own namespaces and a file system with only Node and the plugin's
 * folder. `account`: an account of its own and own namespaces, in the file system of the server without the places of sockets. `weak`: only
 * Node's permission model, under the account of the server.
 */
export type SandboxLevel = 'bubblewrap' | 'account' | 'weak'

export type Sandbox = {
  level: SandboxLevel
  /** The command that runs Node with a program for a plugin. */
  command(plugin: { name: string; folder: string; text: string }): { program: string; arguments: readonly string[] }
}

const OLD_SPACE_MEBIBYTES = 64
/** Buffers are not part of the heap of JavaScript. Node does not start with less than 512 MiB. */
const DATA_BYTES = 768 * 1024 * 1024

/** A plugin that never rests must not slow down requests. */
export const NICENESS = 10

/** Accounts without names, in the range that systemd uses for services with dynamic accounts. */
const FIRST_ACCOUNT = 61_184
const ACCOUNTS = 4096

/**
 * The best level of this machine: each is tried with a real start.
 * @param input.folder an existing folder that plugins must be able to read
 */
export async function findSandbox(input: {
  folder: string
  dataDirectory: string
  isRoot?: boolean
  /** Only these are tried. Default: all. */
  levels?: readonly SandboxLevel[]
}): Promise<Sandbox> {
  const isRoot = input.isRoot ?? process.geteuid?.() === 0
  const candidates = [bubblewrap(), ...(isRoot ? [ownAccount()] : [])].filter(
    (candidate) => candidate !== undefined && (input.levels?.includes(candidate.level) ?? true),
  )
  for (const candidate of candidates) {
    if (candidate !== undefined && (await canStart(candidate, input))) return candidate
  }
  const withoutNetwork = weak(['--user', '--map-current-user', '--net'])
  return !isRoot && (await canStart(withoutNetwork, input)) ? withoutNetwork : weak()
}

/** Whether it starts a Node that lists the folder. */
async function canStart(sandbox: Sandbox, { folder, dataDirectory }: { folder: string; dataDirectory: string }) {
  const text = `(await import('node:fs')).readdirSync(${JSON.stringify(folder)})`
  const command = sandbox.command({ name: 'probe', folder, text })
  const program = startConnectedProgram({ ...command, workingDirectory: '/', dataDirectory })
  program.stdin.end()
  program.stdout.resume()
  return (await program.ended).exitCode === 0
}

/** Node with its permission model: no files but the folder, no children, threads, addons or inspector. */
function node({ folder, text }: { folder: string; text: string }): string[] {
  const real = existsSync(folder) ? realpathSync(folder) : folder
  return [
    process.execPath,
    '--permission',
    `--allow-fs-read=${real}/*`,
    `--max-old-space-size=${OLD_SPACE_MEBIBYTES}`,
    '--disable-warning=ExperimentalWarning',
    '--input-type=module',
    '--eval',
    text,
  ]
}

function limited(command: readonly string[]): string[] {
  // The server marks its children in their environment; a plugin gets an empty one.
  const priority = ['/usr/bin/env', '-i', '/usr/bin/nice', '-n', String(NICENESS), '--']
  return [...priority, '/usr/bin/prlimit', `--data=${DATA_BYTES}`, '--core=0', '--fsize=0', '--', ...command]
}

const DROPPED = ['--no-new-privs', '--inh-caps=-all', '--pdeathsig', 'KILL']

function bubblewrap(): Sandbox | undefined {
  const program = findProgram('bwrap')
  if (program === null) return undefined
  const shared = ['/usr', '/lib', '/lib64', '/bin', '/etc/ld.so.cache'].flatMap((path) => ['--ro-bind-try', path, path])
  const spaces = ['--unshare-all', '--die-with-parent', '--new-session', '--clearenv', '--cap-drop', 'ALL']
  return {
    level: 'bubblewrap',
    command(plugin) {
      const real = existsSync(plugin.folder) ? realpathSync(plugin.folder) : plugin.folder
      const own = [dirname(process.execPath), real].flatMap((path) => ['--ro-bind', path, path])
      const system = ['--proc', '/proc', '--dev', '/dev', '--chdir', real]
      return { program, arguments: [...spaces, ...shared, ...own, ...system, '--', ...limited(node(plugin))] }
    },
  }
}

/** Where services have sockets that other accounts may open. A network namespace does not separate sockets that have a path. */
const PLACES_OF_SOCKETS = ['/run', '/tmp', '/var/tmp']

const HIDE = `while [ "$1" != -- ]; do /usr/bin/mount -t tmpfs -o ro,nosuid,nodev,noexec,size=64k none "$1" || exit 1; shift; done
shift; exec "$@"`

function ownAccount(): Sandbox {
  const spaces = [
    '--net',
    '--ipc',
    '--pid',
    '--fork',
    '--kill-child',
    '--mount',
    '--propagation',
    'private',
    '--mount-proc',
  ]
  return {
    level: 'account',
    command(plugin) {
      const account = String(computePluginUid(plugin.name))
      const rights = ['--reuid', account, '--regid', account, '--clear-groups', '--bounding-set=-all', ...DROPPED]
      const inner = ['/usr/bin/setpriv', ...rights, '--', ...limited(node(plugin))]
      // What the plugin itself needs stays visible, so that a place with the data directory in it is not hidden.
      const needed = [process.execPath, existsSync(plugin.folder) ? realpathSync(plugin.folder) : plugin.folder]
      const hidden = PLACES_OF_SOCKETS.filter(
        (place) => existsSync(place) && !needed.some((path) => path.startsWith(`${realpathSync(place)}/`)),
      )
      const view = ['/bin/sh', '-c', HIDE, 'sh', ...hidden, '--', ...inner]
      // unshare waits for its child; it dies with the server, and its child with it.
      const outer = ['--pdeathsig', 'KILL', '--', '/usr/bin/unshare', ...spaces, '--', ...view]
      return { program: '/usr/bin/setpriv', arguments: outer }
    },
  }
}

/** Computes the user id and group id of the process of a plugin at the level `account`. */
export function computePluginUid(name: string): number {
  return FIRST_ACCOUNT + (createHash('sha256').update(name).digest().readUInt32BE() % ACCOUNTS)
}

/** @param spaces the namespaces that `unshare` makes; default: none */
function weak(spaces?: readonly string[]): Sandbox {
  return {
    level: 'weak',
    command(plugin) {
      const inner = ['/usr/bin/setpriv', ...DROPPED, '--', ...limited(node(plugin))]
      const [program = '', ...words] = spaces === undefined ? inner : ['/usr/bin/unshare', ...spaces, '--', ...inner]
      return { program, arguments: words }
    },
  }
}
