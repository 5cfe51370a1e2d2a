/** All types of plugins that a manifest may name. */
export const PLUGIN_TYPES = [
  'metadata-provider',
  'subtitle-provider',
  'auth-provider',
  'library-type',
  'notifier',
  'scrobbler',
  'tuner',
  'transcoder-hook',
  'ui-theme',
  'arr-integration',
  'analytics-sink',
] as const

export type PluginType = (typeof PLUGIN_TYPES)[number]

/** The types that this release runs. Plugins of other types can be installed and listed. */
const RUNNABLE_TYPES: ReadonlySet<PluginType> = new Set([
  'metadata-provider',
  'subtitle-provider',
  'auth-provider',
  'notifier',
  'scrobbler',
])

export function isRunnable(type: PluginType): boolean {
  return RUNNABLE_TYPES.has(type)
}
