import { defineErrors } from '../errors/index.ts'

export const keyErrors = defineErrors({
  key_file_damaged: {
    kind: 'misconfigured',
    title: 'Damaged key file',
    doc: 'A file in `keys/` is shorter than the key that was written. Without the key, tokens and addresses cannot be checked.',
  },
  server_key_unusable: {
    kind: 'io',
    title: 'The server key cannot be used',
    doc: 'Command line only: the file of the server’s key is missing, cannot be read, or holds no Ed25519 private key. Over HTTP the key set is empty then.',
  },
})
