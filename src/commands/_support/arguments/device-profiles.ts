import type { DeviceProfileName } from '../../../core/streaming/index.ts'

/** The values of `--profile`, repeated here so that no command loads the core before it runs. */
export const DEVICE_PROFILE_NAMES = [
  'generic',
  'mobile-low',
  'mobile-high',
  'web',
  'tv-4k',
] as const satisfies readonly DeviceProfileName[]
