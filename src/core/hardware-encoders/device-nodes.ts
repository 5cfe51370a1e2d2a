import { open, readdir, readFile, stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { systemErrorCode } from '../platform/errors/index.ts'
import type { DeviceKind } from './families.ts'

/** A device node, and whether this account may use it. */
export type DeviceNode = Readonly<{
  path: string
  isAccessible: boolean
  /** Numeric id of the group of the node. */
  groupId: number
  /** Null if the system has no name for the group, as in containers. */
  groupName: string | null
  /** Whether the members of the group may read and write. */
  isForGroup: boolean
}>

export type DeviceFacts = Readonly<{
  /** Name of the account that runs this process. */
  account: string
  nodes: Readonly<Record<DeviceKind, readonly DeviceNode[]>>
}>

const PLACES: Readonly<Record<DeviceKind, { folder: string; name: RegExp }>> = {
  render: { folder: 'dri', name: /^renderD\d{1,5}$/ },
  nvidia: { folder: '.', name: /^nvidia\d{1,3}$/ },
  video: { folder: '.', name: /^video\d{1,3}$/ },
}

const GROUP_READS_AND_WRITES = 0o060

/**
 * Reads the device nodes of this machine, in the order of their numbers. Access is tested by opening the node,
 * because an ACL can grant it as well as the file mode.
 */
export async function readDeviceFacts({
  deviceFolder = '/dev',
  groupFile = '/etc/group',
}: { deviceFolder?: string; groupFile?: string } = {}): Promise<DeviceFacts> {
  const groups = parseGroups(await readFile(groupFile, 'utf8').catch(() => ''))
  const read = async (kind: DeviceKind): Promise<DeviceNode[]> => {
    const { folder, name } = PLACES[kind]
    const parent = join(deviceFolder, folder)
    const names = await readdir(parent).catch(() => [])
    const nodeNames = names.filter((one) => name.test(one)).toSorted((a, b) => trailingNumber(a) - trailingNumber(b))
    const nodes = await Promise.all(nodeNames.map((one) => readNode(join(parent, one), groups)))
    return nodes.flatMap((node) => node ?? [])
  }
  const [render, nvidia, video] = await Promise.all([read('render'), read('nvidia'), read('video')])
  return { account: accountName(), nodes: { render, nvidia, video } }
}

async function readNode(path: string, groups: ReadonlyMap<number, string>): Promise<DeviceNode | undefined> {
  const facts = await stat(path).catch(() => undefined)
  // The device was removed while the folder was read.
  if (facts === undefined) return undefined
  return {
    path,
    isAccessible: await isAccessible(path),
    groupId: facts.gid,
    groupName: groups.get(facts.gid) ?? null,
    isForGroup: (facts.mode & GROUP_READS_AND_WRITES) === GROUP_READS_AND_WRITES,
  }
}

/**
 * False only if the system denies the access. A busy or defective device counts as accessible; the test of the encoder reports its error.
 */
async function isAccessible(path: string): Promise<boolean> {
  try {
    const handle = await open(path, 'r+')
    await handle.close()
    return true
  } catch (error) {
    return !['EACCES', 'EPERM'].includes(systemErrorCode(error) ?? '')
  }
}

/** Names of groups by id: `name:password:id:members`. */
function parseGroups(text: string): Map<number, string> {
  return new Map(
    text.split('\n').flatMap((line) => {
      const [name = '', , id = ''] = line.split(':')
      return /^\d{1,10}$/.test(id) ? [[Number(id), name] as const] : []
    }),
  )
}

/** The name of the account of this process; in a container it may have none, and its id is returned. */
function accountName(): string {
  try {
    return userInfo().username
  } catch {
    return String(process.geteuid?.() ?? 'this account')
  }
}

function trailingNumber(name: string): number {
  return Number(/\d+$/.exec(name)?.[0] ?? 0)
}
