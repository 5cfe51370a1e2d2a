import { defineErrors } from '../errors/index.ts'

export const configErrors = defineErrors({
  invalid_config: {
    kind: 'misconfigured',
    title: 'Invalid configuration',
    doc: 'An option in the file, the environment or a flag is unknown or has an invalid value; the message lists all of them.',
  },
  config_exists: {
    kind: 'conflict',
    title: 'There is a configuration file already',
    doc: 'Command line only: `config:import` replaces the file that counts only with `--force`, and never one that `--config` or `PHLIX_CONFIG` names; an old config.toml is kept beside the new one.',
  },
  insecure_jwt_secret: {
    kind: 'misconfigured',
    title: 'Insecure JWT_SECRET',
    doc: 'In production the signing secret is missing, a known default, or shorter than 32 bytes.',
  },
})
