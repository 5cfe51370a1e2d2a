import { defineErrors } from '../errors/index.ts'

export const settingErrors = defineErrors({
  setting_unknown: {
    kind: 'invalid',
    title: 'Not a setting',
    doc: 'No option has this name, or it can only be set by file, environment or flag.',
  },
  setting_invalid: {
    kind: 'invalid',
    title: 'Invalid setting',
    doc: 'A value does not have the form of its setting; the message names the setting and its form.',
  },
  setting_locked: {
    kind: 'conflict',
    title: 'Setting is set elsewhere',
    doc: 'A flag, the environment or the configuration file sets this option, so a value in the database would have no effect.',
  },
})
