import { SECRET_MASK } from '../platform/config/index.ts'
import type { Setting } from '../platform/settings/index.ts'

/** A setting; a secret that is set is shown as the mask. `origin` is `default`, `database`, `file PATH`, `environment NAME` or `flag`. */
export function settingView({ path, option, scope, value, origin, isStored }: Setting) {
  const isMasked = option.secret && value !== undefined && value !== ''
  return {
    path,
    value: isMasked ? SECRET_MASK : (value ?? null),
    origin,
    stored: isStored,
    restart_required: scope === 'restart',
  }
}
