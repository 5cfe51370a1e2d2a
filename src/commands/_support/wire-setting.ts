import { Args } from '@oclif/core'
import type { Setting } from '../../core/platform/settings/index.ts'

/** How commands name a setting. */
export const settingArgument = Args.string({
  required: true,
  ignoreStdin: true,
  description: 'name of the option, as metadata.overwrite_existing',
})

/** A setting as documents of commands have it; a secret that is set shows as `***`. */
export function wireSetting({ path, option, scope, value, origin, isStored }: Setting) {
  const isSet = value !== undefined && value !== ''
  return {
    setting: {
      path,
      value: option.secret && isSet ? '***' : (value ?? null),
      origin,
      stored: isStored,
      restart_required: scope === 'restart',
    },
  }
}
