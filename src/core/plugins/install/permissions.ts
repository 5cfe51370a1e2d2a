import type { Manifest } from '../manifest/manifest.ts'
import type { PluginType } from '../manifest/plugin-types.ts'

type PluginRights = Pick<Manifest, 'type' | 'permissions'>

/**
 * What the second version may do beyond the first, in words. A change of the type counts: the server sends different calls and events to
 * plugins of each type.
 */
export function addedPermissions(before: PluginRights | undefined, after: PluginRights): string[] {
  if (before === undefined) return describePermissions(after)
  const known = new Set(describePermissions(before))
  return [
    ...(before.type === after.type ? [] : [`work as a ${after.type} instead of a ${before.type}`]),
    ...describePermissions(after).filter((line) => !known.has(line)),
  ]
}

/** What a plugin receives because of its type alone. */
const KNOWS: Readonly<Partial<Record<PluginType, string>>> = {
  'auth-provider':
    'see the names and passwords of sign-ins whose name no account has, also mistyped ones, and of accounts that are linked to it, if the ' +
    'local password is wrong',
}

/** What a plugin may do and what it sees, each as a line for people. */
export function describePermissions({ type, permissions }: PluginRights): string[] {
  const { hosts, isPrivateNetworkAllowed, areUserDetailsAllowed, isDurable } = permissions
  return [
    ...(KNOWS[type] === undefined ? [] : [KNOWS[type]]),
    ...hosts.map((host) => (host === '*' ? 'send requests to any server' : `send requests to ${host}`)),
    ...(isPrivateNetworkAllowed ? ['send them to private networks and this machine too'] : []),
    ...(areUserDetailsAllowed ? ['see user names, e-mail addresses and network addresses'] : []),
    ...(isDurable ? ['have events stored until it has received them'] : []),
  ]
}
