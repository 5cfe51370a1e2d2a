import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { runTool } from '../platform/spawn/index.ts'
import type { ServiceAccount } from './doctor-context.ts'

export type RequiredAccess = 'read' | 'traverse'

/** Prints each path that lacks the rights, followed by NUL. A folder needs both rights to be read. */
const SCRIPT = `need=$1; shift
for path; do
  if [ "$need" = traverse ]; then [ -x "$path" ]
  elif [ -d "$path" ]; then [ -r "$path" ] && [ -x "$path" ]
  else [ -r "$path" ]
  fi || printf '%s\\0' "$path"
done`

const TIMEOUT_SECONDS = 5

/**
 * The existing paths that an account cannot read or traverse. Missing paths are omitted. The kernel decides, so that groups and access
 * control lists count.
 * @param account undefined for the account of this process
 */
export async function findUnreadablePaths(
  paths: readonly string[],
  { account, need }: { account: ServiceAccount | undefined; need: RequiredAccess },
): Promise<string[]> {
  const present = await existing(paths)
  if (account === undefined) return ownUnreadable(present, need)
  if (present.length === 0) return []
  const groups = account.name === null ? ['--clear-groups'] : ['--init-groups']
  const rights = ['--reuid', account.name ?? String(account.uid), '--regid', String(account.gid), ...groups]
  const { outcome, exitCode, stdout, stderrTail } = await runTool({
    program: 'setpriv',
    arguments: [...rights, '--', 'sh', '-c', SCRIPT, 'sh', need, ...present],
    timeoutSeconds: TIMEOUT_SECONDS,
  })
  // The script exits with the code of its last path.
  if (outcome !== 'exited' || exitCode === null || stderrTail !== '') {
    throw new Error(`setpriv could not run as ${account.name ?? account.uid}: ${stderrTail.trim() || outcome}`)
  }
  return stdout.toString().split('\0').slice(0, -1)
}

async function existing(paths: readonly string[]): Promise<string[]> {
  const exists = await Promise.all(paths.map((path) => stat(path).then(Boolean, isNotMissing)))
  return paths.filter((_, index) => exists[index])
}

/** An entry of a folder that is closed to this account may exist. */
function isNotMissing(error: NodeJS.ErrnoException): boolean {
  return error.code === 'EACCES'
}

async function ownUnreadable(paths: readonly string[], need: RequiredAccess): Promise<string[]> {
  const failed: string[] = []
  for (const path of paths) {
    const isFolder = await stat(path).then(
      (found) => found.isDirectory(),
      () => false,
    )
    const rights = need === 'traverse' ? constants.X_OK : isFolder ? constants.R_OK | constants.X_OK : constants.R_OK
    if (
      !(await access(path, rights).then(
        () => true,
        () => false,
      ))
    )
      failed.push(path)
  }
  return failed
}
