import { constants } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { findConfigFile, OPTIONS, type Config, type OptionPath } from '../../platform/config/index.ts'
import type { DoctorCheck, DoctorContext, ServiceAccount } from '../doctor-context.ts'
import { errorResult, okResult, problemsOrOk, warningResult, type CheckResult } from '../finding.ts'
import { shellQuote } from '../shell-quote.ts'
import { findUnreadablePaths } from '../unreadable-paths.ts'

type Account = Pick<ServiceAccount, 'uid' | 'gid'>
type Rights = { mode: number; gid: number | undefined }

/** Configuration files must be readable for the server, and files with secrets for no other account. */
export const configFileCheck: DoctorCheck = {
  id: 'config-file',
  async run({ config, environment, serviceAccount }) {
    const secret = new Set(filesOf(config, (path) => OPTIONS[path].secret))
    const used = findConfigFile({}, environment, config.dataDirectory)
    const files = [...new Set([...filesOf(config, () => true), ...(used === undefined ? [] : [used])])]
    const closed = await findUnreadablePaths(files, { account: serviceAccount, need: 'read' })
    const problems = await Promise.all(
      files.map(async (path) =>
        problemsOf(path, { isSecret: secret.has(path), isClosed: closed.includes(path), serviceAccount }),
      ),
    )
    if (files.length === 0) return okResult('there is no configuration file')
    return problemsOrOk(problems.flat(), files.join(', '))
  },
}

type Examined = { isSecret: boolean; isClosed: boolean } & Pick<DoctorContext, 'serviceAccount'>

async function problemsOf(path: string, { isSecret, isClosed, serviceAccount }: Examined): Promise<CheckResult[]> {
  const account = serviceAccount ?? { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }
  const stats = await stat(path)
  const mode = stats.mode & 0o777
  const right = rightsFor(account, stats.uid)
  const mend = async (): Promise<void> => setRights(path, right)
  const fix = commandFor(path, right)
  if (isClosed) {
    const message = `${path} cannot be read by ${serviceAccount?.name ?? `uid ${account.uid}`}, which runs the server`
    // A file that all accounts may read is in a closed folder.
    if ((mode & 0o004) !== 0) return [errorResult(message, `chmod a+x ${shellQuote(dirname(path))}`)]
    return [errorResult(message, fix, mend)]
  }
  const isOpen = (mode & ~right.mode & 0o077) !== 0 || ((mode & 0o040) !== 0 && right.gid !== stats.gid)
  return isSecret && isOpen ? [warningResult(`${path} holds secrets and has mode ${mode.toString(8)}`, fix, mend)] : []
}

/** Links are left alone: the account of the server, which may own the folder, could get the rights to any file by one. */
async function setRights(path: string, { mode, gid }: Rights): Promise<void> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const { uid, nlink } = await file.stat()
    if (nlink > 1) throw new Error(`${path} has several names`)
    if (gid !== undefined) await file.chown(uid, gid)
    await file.chmod(mode)
  } finally {
    await file.close()
  }
}

/**
 * The access rights with which only the server can read a file: its own file needs no group; a file of another account, for example root,
 * is made readable for the group of the server.
 */
function rightsFor(account: Account, owner: number): Rights {
  return owner === account.uid || account.uid === 0
    ? { mode: 0o600, gid: undefined }
    : { mode: 0o640, gid: account.gid }
}

function commandFor(path: string, { mode, gid }: Rights): string {
  const rights = `chmod ${mode.toString(8)} ${shellQuote(path)}`
  return gid === undefined ? rights : `chgrp ${gid} ${shellQuote(path)} && ${rights}`
}

function filesOf({ origins }: Config, isWanted: (path: OptionPath) => boolean): string[] {
  const paths = Object.keys(OPTIONS) as OptionPath[]
  return paths.flatMap((path) =>
    isWanted(path) && origins[path].startsWith('file ') ? [origins[path].slice('file '.length)] : [],
  )
}
