import { defineErrors } from '../platform/errors/index.ts'

export const ldapErrors = defineErrors({
  ldap_unavailable: {
    kind: 'unavailable',
    title: 'The directory does not answer',
    doc: 'The LDAP server cannot be reached, has no valid certificate, or refuses the search. Sign-ins answer `sign_in_provider_unavailable` then.',
  },
})
