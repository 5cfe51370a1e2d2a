import { defineErrors } from '../platform/errors/index.ts'

export const hubLinkErrors = defineErrors({
  hub_url_missing: {
    kind: 'invalid',
    title: 'No hub named',
    doc: 'Neither `--hub`, `hubUrl` nor the option `hub.url` names a hub.',
  },
  hub_url_invalid: {
    kind: 'invalid',
    title: 'Not the address of a hub',
    doc: 'The address of a hub is its origin: scheme and host, with a port if it is not that of the scheme, without a path, a query and a user name.',
  },
  hub_unreachable: {
    kind: 'unavailable',
    title: 'The hub cannot be reached',
    doc: 'The hub does not answer, or its answer is not that of a hub.',
  },
  hub_refused: {
    kind: 'conflict',
    title: 'The hub refused',
    doc: 'The hub answered with an error; `hub_code` is its code and the message its text.',
  },
  hub_claim_ended: {
    kind: 'gone',
    title: 'The code has expired',
    doc: 'Nobody confirmed the code within ten minutes, or its enrolment was fetched already. Begin again.',
  },
  not_paired: { kind: 'conflict', title: 'Not paired', doc: 'This server is not paired with a hub.' },
  already_paired: {
    kind: 'conflict',
    title: 'Already paired',
    doc: 'This server is paired with a hub; end that pairing first.',
  },
  enrolment_invalid: {
    kind: 'invalid',
    title: 'Enrolment not valid',
    doc: 'The enrolment token is not signed by the hub, not for this server, or expired.',
  },
})
