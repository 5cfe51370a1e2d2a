import { Args } from '@oclif/core'
import type { Setting } from '../../core/platform/settings/index.ts'

/** Argument that identifies a setting. */
export const settingArgument = Args.string({
  required: true,
  ignoreStdin: true,
  description: 'name of the option, for example metadata.overwrite_existing',
})

/** A setting as JSON; a secret is shown as `***`. */
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
